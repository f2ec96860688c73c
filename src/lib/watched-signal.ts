import type { Signal } from './signal.ts';

/** An observable value that knows if it has subscribers. */
export interface WatchedSignal<Value> extends Signal<Value> {
  hasSubscribers(): boolean;
}

/** Calls `begin` whenever a value gets its first subscriber, so that no data is requested that is not shown. */
export function onFirstSubscriber<Value>(readable: Signal<Value>, begin: () => void): WatchedSignal<Value> {
  let watchers = 0;
  return {
    get: readable.get,
    hasSubscribers: () => watchers > 0,
    subscribe(listener) {
      const stop = readable.subscribe(listener);
      if (watchers++ === 0) begin();
      let going = true;
      return () => {
        if (going) watchers--;
        going = false;
        stop();
      };
    },
  };
}

/** Derived signal: a value computed from others. `make` runs only if one of them has changed since. */
export function computed<Value>(sources: readonly Signal<unknown>[], make: () => Value): Signal<Value> {
  let seen: readonly unknown[] | null = null;
  let value: Value;
  return {
    get() {
      const now = sources.map((source) => source.get());
      if (seen === null || now.some((part, index) => !Object.is(part, seen?.[index]))) {
        seen = now;
        value = make();
      }
      return value;
    },
    subscribe(listener) {
      const stops = sources.map((source) => source.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
