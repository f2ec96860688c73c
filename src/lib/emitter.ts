/** Emitter: notifies its subscribers of an event. Unlike a signal, it has no current value. */
export interface Emitter<Value> {
  emit(value: Value): void;
  subscribe(listener: (value: Value) => void): void;
}

export function createEmitter<Value>(): Emitter<Value> {
  const listeners: ((value: Value) => void)[] = [];
  return {
    emit(value) {
      for (const listener of listeners) listener(value);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
