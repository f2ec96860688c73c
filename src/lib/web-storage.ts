/** A word kept on the device; where storage is refused it lasts as long as the page. */
export interface Note {
  read(): string | null;
  /** Null forgets it. */
  write(word: string | null): void;
}

/** Makes a note in this tab's storage ('tab') or in all tabs' ('device'). */
export function createNote(where: 'tab' | 'device', key: string): Note {
  let inMemory: string | null = null;
  // Read anew each time: in a blocked third-party frame the very mention of storage throws.
  const storage = () => (where === 'tab' ? sessionStorage : localStorage);
  return {
    read() {
      try {
        return storage().getItem(key) ?? inMemory;
      } catch {
        return inMemory;
      }
    },
    write(word) {
      inMemory = word;
      try {
        if (word === null) storage().removeItem(key);
        else storage().setItem(key, word);
      } catch {
        // It stays in memory.
      }
    },
  };
}
