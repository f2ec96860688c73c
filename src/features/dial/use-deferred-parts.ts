import { useEffect, useState } from 'react';

type DeferredParts = typeof import('./deferred-parts.ts');

/** Loads the deferred parts of the dial after the card is mounted; returns null until they are loaded. */
export function useDeferredParts(isNeeded: boolean): DeferredParts | null {
  const [parts, setParts] = useState<DeferredParts | null>(null);
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (!isNeeded || parts !== null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    const scheduleRetry = () => {
      if (current) timer = setTimeout(() => setFailures(failures + 1), RETRY_DELAY_MS);
    };
    import('./deferred-parts.ts').then((module) => current && setParts(module), scheduleRetry);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [isNeeded, parts, failures]);
  return parts;
}

/** Delay before a failed chunk is requested again, ms. */
const RETRY_DELAY_MS = 5000;
