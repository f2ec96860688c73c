// Store metadata: key-value rows about the store itself, in the table `facts`.

import { execute, type Operation, queryFirst, text } from './statements.ts';

/** Key that marks a store into which another store is being moved. */
export const MOVE_SETTING = 'moving';

/** Reads a metadata value of the store. */
export function* readSetting(name: string): Operation<string | null> {
  const row = yield* queryFirst('SELECT value FROM facts WHERE name = ?', name);
  return row ? text(row, 'value') : null;
}

/** Inserts a metadata value if the key has none. Returns the stored value. */
export function* getOrCreateSetting(name: string, value: string): Operation<string> {
  yield* execute('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, value);
  return (yield* readSetting(name)) ?? value;
}

/** Inserts or updates a metadata value of the store. */
export function* putSetting(name: string, value: string): Operation<void> {
  yield* execute(
    'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
}
