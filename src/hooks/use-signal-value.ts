import { useCallback, useSyncExternalStore } from 'react';
import type { Signal } from '../lib/signal.ts';

/**
 * Subscribes a component to an observable value: returns the value and renders again when it changes. During server-side
 * rendering it is read once.
 */
export function useSignalValue<Value>(readable: Signal<Value>): Value {
  const subscribe = useCallback((listener: () => void) => readable.subscribe(listener), [readable]);
  const get = useCallback(() => readable.get(), [readable]);
  return useSyncExternalStore(subscribe, get, get);
}
