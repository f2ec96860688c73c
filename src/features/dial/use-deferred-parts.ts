import { useEffect, useState } from 'react';

type DeferredParts = typeof import('./deferred-parts.ts');

/**
 * Lazy components of the dial: loads them after the card is mounted; returns null until they are loaded. A failed load
 * is tried again after 5 s.
 */
export function useDeferredParts(isNeeded: boolean): DeferredParts | null {
  const [parts, setParts] = useState<DeferredParts | null>(null);
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (!isNeeded || parts !== null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const scheduleRetry = () => {
      if (isMounted) timer = setTimeout(() => setFailures(failures + 1), RETRY_DELAY_MS);
    };
    import('./deferred-parts.ts').then((module) => isMounted && setParts(module), scheduleRetry);
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [isNeeded, parts, failures]);
  return parts;
}

/** Delay before a failed chunk is requested again, ms. */
const RETRY_DELAY_MS = 5000;
