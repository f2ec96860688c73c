import { useCallback, useSyncExternalStore } from 'react';
import type { Readable } from '../lib/signal.ts';

/** Reads a value that changes over time and renders again when it does; on a server it is read once. */
export function useReadable<Value>(readable: Readable<Value>): Value {
  const subscribe = useCallback((listener: () => void) => readable.subscribe(listener), [readable]);
  const get = useCallback(() => readable.get(), [readable]);
  return useSyncExternalStore(subscribe, get, get);
}
