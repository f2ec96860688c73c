import { useEffect, useRef, useState } from 'react';

const WAIT = 800;
/** The dial's numbers have at most two digits. */
const LENGTH = 2;

/** Gathers typed digits to a number; `go` is called with it after 0.8 s, at the second digit, or at `confirm`. */
export function useDigits(go: (number: number) => void): {
  readonly typed: string;
  readonly digit: (digit: string) => void;
  readonly confirm: () => boolean;
} {
  const [typed, setTyped] = useState('');
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (typed === '') return;
    const timer = setTimeout(
      () => {
        setTyped('');
        latest.current(Number(typed));
      },
      typed.length < LENGTH ? WAIT : WAIT / 4,
    );
    return () => clearTimeout(timer);
  }, [typed]);
  const confirm = () => {
    if (typed === '') return false;
    setTyped('');
    go(Number(typed));
    return true;
  };
  return { typed, digit: (digit) => setTyped((before) => (before.length < LENGTH ? before + digit : digit)), confirm };
}
