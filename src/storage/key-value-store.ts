/**
 * Key-value store, ordered by key: one database. Values are plain data. A value that is read is `unknown`, because an
 * older version of the app may have stored it. No call rejects.
 */
export interface KeyValueStore {
  get(key: string): Promise<unknown>;
  /**
   * Returns the entries with a key prefix, ascending. With `last`, returns that many from the end, descending, with
   * keys below `below`.
   */
  list(prefix: string, options?: { readonly last: number; readonly below?: string }): Promise<[key: string, value: unknown][]>;
  /**
   * Stores entries, after it has deleted those whose key starts with one of `replacedPrefixes`, in one transaction: if
   * the page closes, either all of it is done or nothing.
   */
  put(entries: readonly (readonly [key: string, value: unknown])[], replacedPrefixes?: readonly string[]): Promise<void>;
  /** Updates values from their current values, all in one transaction. */
  update(...updates: readonly KeyUpdate[]): Promise<void>;
  /** Deletes the entries with a key prefix; '' deletes all. */
  deletePrefix(prefix: string): Promise<void>;
  /** Returns the keys with a prefix, ascending. */
  keys(prefix: string): Promise<string[]>;
  deleteMany(keys: readonly string[]): Promise<void>;
  close(): void;
}

/** A key, and a function that returns its new value from the current one; undefined deletes the entry. */
export type KeyUpdate = readonly [key: string, computeValue: (value: unknown) => unknown];
