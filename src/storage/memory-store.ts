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
      const found = keys(prefix).filter((key) => below === undefined || key < below);
      const chosen = last === undefined ? found : found.slice(-last).reverse();
      return chosen.map((key) => [key, entriesByKey.get(key)]);
    },
    async put(entries, instead = []) {
      for (const prefix of instead) remove(keys(prefix));
      for (const [key, value] of entries) entriesByKey.set(key, value);
    },
    async update(...slots) {
      for (const [key, make] of slots) {
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
