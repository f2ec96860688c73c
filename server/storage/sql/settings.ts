// Store metadata: key-value rows about the store itself, in the table `facts`.

import { get, run, text, type Work } from './statements.ts';

/** Key that marks a store into which another store is being moved. */
export const MOVING = 'moving';

/** Reads a metadata value of the store. */
export function* readFact(name: string): Work<string | null> {
  const row = yield* get('SELECT value FROM facts WHERE name = ?', name);
  return row ? text(row, 'value') : null;
}

/** Inserts a metadata value if the key has none. Returns the stored value. */
export function* factOr(name: string, value: string): Work<string> {
  yield* run('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, value);
  return (yield* readFact(name)) ?? value;
}

/** Inserts or updates a metadata value of the store. */
export function* putFact(name: string, value: string): Work<void> {
  yield* run(
    'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
}
