import type { Signal } from './signal.ts';

/** Reference-counted signal: an observable value that knows if it has subscribers. */
export interface WatchedSignal<Value> extends Signal<Value> {
  hasSubscribers(): boolean;
}

/** Calls `onFirst` whenever a signal gets its first subscriber, so that only displayed data is requested. */
export function onFirstSubscriber<Value>(signal: Signal<Value>, onFirst: () => void): WatchedSignal<Value> {
  let subscriberCount = 0;
  return {
    get: signal.get,
    hasSubscribers: () => subscriberCount > 0,
    subscribe(listener) {
      const unsubscribe = signal.subscribe(listener);
      if (subscriberCount++ === 0) onFirst();
      let isSubscribed = true;
      return () => {
        if (isSubscribed) subscriberCount--;
        isSubscribed = false;
        unsubscribe();
      };
    },
  };
}

/** Derived signal: a value computed from others. `compute` runs only if one of them has changed since the last call. */
export function computed<Value>(sources: readonly Signal<unknown>[], compute: () => Value): Signal<Value> {
  let previous: readonly unknown[] | null = null;
  let value: Value;
  return {
    get() {
      const current = sources.map((source) => source.get());
      if (previous === null || current.some((sourceValue, index) => !Object.is(sourceValue, previous?.[index]))) {
        previous = current;
        value = compute();
      }
      return value;
    },
    subscribe(listener) {
      const unsubscribes = sources.map((source) => source.subscribe(listener));
      return () => {
        for (const unsubscribe of unsubscribes) unsubscribe();
      };
    },
  };
}
