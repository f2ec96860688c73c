/**
 * Signal: an observable value with the interface that useSyncExternalStore needs. `get` returns the same object until the
 * value changes.
 */
export interface Readable<Value> {
  get(): Value;
  subscribe(listener: () => void): () => void;
}

/** A writable signal. */
export interface Cell<Value> extends Readable<Value> {
  set(value: Value): void;
  /** Returns true while it has a subscriber. */
  isObserved(): boolean;
}

/** Creates a writable signal. Setting the same value again does not notify the subscribers. */
export function createCell<Value>(initial: Value): Cell<Value> {
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
    isObserved: () => listeners.size > 0,
  };
}
