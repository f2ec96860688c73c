import type { Readable } from './signal.ts';

/** An observable value that knows if it has subscribers. */
export interface Watched<Value> extends Readable<Value> {
  isWatched(): boolean;
}

/** Calls `begin` whenever a value gets its first subscriber, so that no data is requested that is not shown. */
export function watched<Value>(readable: Readable<Value>, begin: () => void): Watched<Value> {
  let watchers = 0;
  return {
    get: readable.get,
    isWatched: () => watchers > 0,
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
export function derived<Value>(sources: readonly Readable<unknown>[], make: () => Value): Readable<Value> {
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
