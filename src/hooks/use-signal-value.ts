import { useCallback, useSyncExternalStore } from 'react';
import type { Signal } from '../lib/signal.ts';

/**
 * Subscribes a component to an observable value: returns the value and renders again when it changes. During
 * server-side rendering it is read once.
 */
export function useSignalValue<Value>(signal: Signal<Value>): Value {
  const subscribe = useCallback((listener: () => void) => signal.subscribe(listener), [signal]);
  const get = useCallback(() => signal.get(), [signal]);
  return useSyncExternalStore(subscribe, get, get);
}
