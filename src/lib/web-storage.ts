/** A string in web storage. If storage is blocked, it is stored in memory until the page closes. */
export interface StoredValue {
  read(): string | null;
  /** Stores a string; null deletes it. */
  write(value: string | null): void;
}

/** Web storage: creates a stored string in sessionStorage ('tab') or localStorage ('device'). */
// @__NO_SIDE_EFFECTS__
export function createStoredValue(area: 'tab' | 'device', key: string): StoredValue {
  let inMemory: string | null = null;
  // Evaluated at each access: in a blocked third-party frame, reading the property itself throws.
  const storage = () => (area === 'tab' ? sessionStorage : localStorage);
  return {
    read() {
      try {
        return storage().getItem(key) ?? inMemory;
      } catch {
        return inMemory;
      }
    },
    write(value) {
      inMemory = null;
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
      } catch {
        inMemory = value;
      }
    },
  };
}
