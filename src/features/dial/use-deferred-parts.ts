import { useEffect, useState } from 'react';

type Parts = typeof import('./deferred-parts.ts');

/** What the dial can do beyond flipping; null until it has come, which it does once the card stands. */
export function useParts(wanted: boolean): Parts | null {
  const [parts, setParts] = useState<Parts | null>(null);
  const [failures, fail] = useState(0);
  useEffect(() => {
    if (!wanted || parts !== null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    const refused = () => {
      if (current) timer = setTimeout(() => fail(failures + 1), AGAIN);
    };
    import('./deferred-parts.ts').then((found) => current && setParts(found), refused);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, parts, failures]);
  return parts;
}

/** A chunk that could not be fetched is asked for again so much later, ms. */
const AGAIN = 5000;
