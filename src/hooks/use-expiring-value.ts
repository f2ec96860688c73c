import { useCallback, useEffect, useState } from 'react';

/** Value that disappears by itself. */
export interface ExpiringValue<Value> {
  /** Null after the time has passed. */
  readonly value: Value | null;
  readonly set: (value: Value | null) => void;
  /** Stops the timer while `isHeld` is true. A new value starts its own timer. */
  readonly hold: (isHeld: boolean) => void;
}

/** Stores a value for a time, ms. The timer starts again when `hold(false)` is called. */
export function useExpiringValue<Value>(durationMs: number): ExpiringValue<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    if (value === null || isHeld) return;
    const timer = setTimeout(() => setValue(null), durationMs);
    return () => clearTimeout(timer);
  }, [value, isHeld, durationMs]);
  // An element that is removed while it has the pointer or the focus reports no end of that.
  const set = useCallback((next: Value | null) => {
    hold(false);
    setValue(next);
  }, []);
  return { value, set, hold };
}
