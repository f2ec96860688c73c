/**
 * Things by name, in the order of their names: one database. Values are plain data, and `unknown` when they come back: an
 * older version of the app may have put them there. No call rejects.
 */
export interface Shelf {
  get(key: string): Promise<unknown>;
  /** The things whose key starts so, ascending; with `last`, that many from the end, descending, below `below`. */
  list(prefix: string, options?: { readonly last: number; readonly below?: string }): Promise<[key: string, value: unknown][]>;
  /** Puts things there, instead of those whose key starts with one of `instead`: all of it or, where the page ends, nothing. */
  put(entries: readonly (readonly [key: string, value: unknown])[], instead?: readonly string[]): Promise<void>;
  /** Replaces values by what is made of them, all in one transaction. */
  change(...slots: readonly Slot[]): Promise<void>;
  /** Deletes the things whose key starts so; '' deletes all. */
  drop(prefix: string): Promise<void>;
  /** The names of the things whose key starts so, ascending. */
  keys(prefix: string): Promise<string[]>;
  remove(keys: readonly string[]): Promise<void>;
  close(): void;
}

/** A key, and what makes its new value of the present one; undefined deletes it. */
export type Slot = readonly [key: string, make: (value: unknown) => unknown];
