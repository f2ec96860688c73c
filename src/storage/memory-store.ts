// In-memory key-value store.
import type { KeyValueStore } from './key-value-store.ts';

/** Creates a store that lives as long as the page: for tags on third-party pages, and where IndexedDB fails. */
export function createMemoryStore(): KeyValueStore {
  const entriesByKey = new Map<string, unknown>();
  const keys = (prefix: string): string[] => [...entriesByKey.keys()].filter((key) => key.startsWith(prefix)).sort();
  const remove = (names: readonly string[]): void => {
    for (const key of names) entriesByKey.delete(key);
  };
  return {
    get: async (key) => entriesByKey.get(key),
    async list(prefix, options) {
      const { last, below } = options ?? {};
      const matching = keys(prefix).filter((key) => below === undefined || key < below);
      const selected = last === undefined ? matching : matching.slice(-last).reverse();
      return selected.map((key) => [key, entriesByKey.get(key)]);
    },
    async put(entries, replacedPrefixes = []) {
      for (const prefix of replacedPrefixes) remove(keys(prefix));
      for (const [key, value] of entries) entriesByKey.set(key, value);
    },
    async update(...updates) {
      for (const [key, make] of updates) {
        const value = make(entriesByKey.get(key));
        if (value === undefined) entriesByKey.delete(key);
        else entriesByKey.set(key, value);
      }
    },
    deletePrefix: async (prefix) => remove(keys(prefix)),
    keys: async (prefix) => keys(prefix),
    deleteMany: async (names) => remove(names),
    close: () => entriesByKey.clear(),
  };
}
