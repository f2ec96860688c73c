// In-memory key-value store, with the interface of the one in IndexedDB.
import type { KeyValueStore } from './key-value-store.ts';

/** Creates a store for the lifetime of the page: for tags on third-party pages, and for use if IndexedDB fails. */
export function createMemoryStore(): KeyValueStore {
  const entriesByKey = new Map<string, unknown>();
  const keysWithPrefix = (prefix: string): string[] => [...entriesByKey.keys()].filter((key) => key.startsWith(prefix)).sort();
  const remove = (keys: readonly string[]): void => {
    for (const key of keys) entriesByKey.delete(key);
  };
  return {
    get: async (key) => entriesByKey.get(key),
    async list(prefix, options) {
      const { last, below } = options ?? {};
      const matching = keysWithPrefix(prefix).filter((key) => below === undefined || key < below);
      const selected = last === undefined ? matching : matching.slice(-last).reverse();
      return selected.map((key) => [key, entriesByKey.get(key)]);
    },
    async put(entries, replacedPrefixes = []) {
      for (const prefix of replacedPrefixes) remove(keysWithPrefix(prefix));
      for (const [key, value] of entries) entriesByKey.set(key, value);
    },
    async update(...updates) {
      for (const [key, computeValue] of updates) {
        const value = computeValue(entriesByKey.get(key));
        if (value === undefined) entriesByKey.delete(key);
        else entriesByKey.set(key, value);
      }
    },
    deletePrefix: async (prefix) => remove(keysWithPrefix(prefix)),
    keys: async (prefix) => keysWithPrefix(prefix),
    deleteMany: async (keys) => remove(keys),
    close: () => entriesByKey.clear(),
  };
}
