import { useEffect, useState } from 'react';

const UPDATE_INTERVAL_MS = 60_000;

/** Clock: returns the current time in unix ms, updated every minute, for relative dates. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
