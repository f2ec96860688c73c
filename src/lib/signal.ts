/** A value that changes over time, in the shape that useSyncExternalStore takes. `get` returns the same object until it changes. */
export interface Readable<Value> {
  get(): Value;
  subscribe(listener: () => void): () => void;
}

/** A Readable that its owner sets. */
export interface Cell<Value> extends Readable<Value> {
  set(value: Value): void;
  /** Returns true while anything is subscribed. */
  isObserved(): boolean;
}

/** Makes a cell; setting the same value again tells nobody. */
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
