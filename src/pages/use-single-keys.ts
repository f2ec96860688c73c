import { useEffect, useState } from 'react';
import { useServices } from './services.ts';

const KEY = 'channel-changer.single-keys';

/** Whether the single-character keys are on, as the reader chose on this device (WCAG 2.1.4). */
export function useSingleKeys(): readonly [boolean, (on: boolean) => void] {
  const { site } = useServices();
  const [on, setOn] = useState(true);
  useEffect(() => {
    if (!site.embedded) setOn(readSingleKeys());
  }, [site.embedded]);
  const choose = (next: boolean) => {
    setOn(next);
    keepChoice(next);
  };
  return [on, choose];
}

/** Reads the choice as it is now: another page may have changed it. */
export function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true; // a blocked storage (third-party frame) only means that the choice is not kept
  }
}

function keepChoice(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // see readSingleKeys
  }
}
