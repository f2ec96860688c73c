import { get, run, text, type Work } from './statements.ts';

/** The fact that a store has into which another one is being moved. */
export const MOVING = 'moving';

/** Reads a fact about the store itself. */
export function* readFact(name: string): Work<string | null> {
  const row = yield* get('SELECT value FROM facts WHERE name = ?', name);
  return row ? text(row, 'value') : null;
}

/** Notes a fact where there is none; gives the one that stands. */
export function* factOr(name: string, value: string): Work<string> {
  yield* run('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, value);
  return (yield* readFact(name)) ?? value;
}

/** Notes a fact about the store itself. */
export function* putFact(name: string, value: string): Work<void> {
  yield* run(
    'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
}
