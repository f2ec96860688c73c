/**
 * Signal: an observable value with the interface that useSyncExternalStore needs. `get` returns the same object until
 * the value changes.
 */
export interface Signal<Value> {
  get(): Value;
  subscribe(listener: () => void): () => void;
}

/** A writable signal. */
export interface WritableSignal<Value> extends Signal<Value> {
  set(value: Value): void;
  /** Returns true while it has a subscriber. */
  hasSubscribers(): boolean;
}

/** Creates a writable signal. Setting the same value again does not notify the subscribers. */
export function createSignal<Value>(initial: Value): WritableSignal<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hasSubscribers: () => listeners.size > 0,
  };
}
