import { useEffect, useState } from 'react';

type DeferredParts = typeof import('./deferred-parts.ts');

/** Loads the deferred parts of the dial after the card is mounted; returns null until they are loaded. */
export function useDeferredParts(wanted: boolean): DeferredParts | null {
  const [parts, setParts] = useState<DeferredParts | null>(null);
  const [failures, fail] = useState(0);
  useEffect(() => {
    if (!wanted || parts !== null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    const refused = () => {
      if (current) timer = setTimeout(() => fail(failures + 1), RETRY_DELAY_MS);
    };
    import('./deferred-parts.ts').then((found) => current && setParts(found), refused);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, parts, failures]);
  return parts;
}

/** Delay before a failed chunk is requested again, ms. */
const RETRY_DELAY_MS = 5000;
