import type { Signal } from './signal.ts';

/** An observable value that knows if it has subscribers. */
export interface WatchedSignal<Value> extends Signal<Value> {
  hasSubscribers(): boolean;
}

/** Calls `begin` whenever a value gets its first subscriber, so that no data is requested that is not shown. */
export function onFirstSubscriber<Value>(signal: Signal<Value>, onFirst: () => void): WatchedSignal<Value> {
  let subscriberCount = 0;
  return {
    get: signal.get,
    hasSubscribers: () => subscriberCount > 0,
    subscribe(listener) {
      const stop = signal.subscribe(listener);
      if (subscriberCount++ === 0) onFirst();
      let isSubscribed = true;
      return () => {
        if (isSubscribed) subscriberCount--;
        isSubscribed = false;
        stop();
      };
    },
  };
}

/** Derived signal: a value computed from others. `make` runs only if one of them has changed since. */
export function computed<Value>(sources: readonly Signal<unknown>[], compute: () => Value): Signal<Value> {
  let previous: readonly unknown[] | null = null;
  let value: Value;
  return {
    get() {
      const current = sources.map((source) => source.get());
      if (previous === null || current.some((part, index) => !Object.is(part, previous?.[index]))) {
        previous = current;
        value = compute();
      }
      return value;
    },
    subscribe(listener) {
      const unsubscribers = sources.map((source) => source.subscribe(listener));
      return () => {
        for (const stop of unsubscribers) stop();
      };
    },
  };
}
