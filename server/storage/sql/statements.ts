// What an engine does is written once, as generators: each step gives statements and is given their answers. SQLite takes the
// steps without waiting, so that nothing comes between those of one work; PostgreSQL sends the statements of a step together.

/** What a statement takes. */
export type Value = string | number | null;

/** A row as every engine answers one: what is true is 1. */
export type Row = Record<string, Value>;

/** A statement in the words that both engines know (see docs/storage.md), with `?` for its values. */
export interface Query {
  readonly text: string;
  readonly values: readonly Value[];
  /** Rows, the first row, or how many rows changed. */
  readonly gives: 'all' | 'get' | 'run';
  /** The statement says the same for this object whenever it comes, and lasts: once it was said, it need not be again. */
  readonly once?: object;
}

export interface Answer {
  readonly rows: readonly Row[];
  readonly changes: number;
}

/** Something to do with the store's tables. */
export type Work<T> = Generator<readonly Query[], T, readonly Answer[]>;

function* ask(query: Query): Work<Answer> {
  const [answer] = yield [query];
  if (!answer) throw new Error('A statement was given no answer.');
  return answer;
}

/** Reads rows. */
export function* all(text: string, ...values: Value[]): Work<readonly Row[]> {
  return (yield* ask({ text, values, gives: 'all' })).rows;
}

/** Reads the first row. */
export function* get(text: string, ...values: Value[]): Work<Row | undefined> {
  return (yield* ask({ text, values, gives: 'get' })).rows[0];
}

/** Changes rows; answers how many. */
export function* run(text: string, ...values: Value[]): Work<number> {
  return (yield* ask({ text, values, gives: 'run' })).changes;
}

/** Does several statements that do not need each other's answers. */
export function* runEach(queries: readonly Omit<Query, 'gives'>[]): Work<void> {
  if (queries.length > 0) yield queries.map((query) => ({ ...query, gives: 'run' }));
}

/** Does works side by side, those that read: the statements of their first steps together, then those of their second. */
export function* together<T>(works: readonly Work<T>[]): Work<T[]> {
  const running = works.map((work) => ({ work, step: work.next([]) }));
  const results: T[] = [];
  for (;;) {
    const steps = running.map(({ step }) => (step.done ? [] : step.value));
    if (running.every(({ step }) => step.done)) break;
    const answers = yield steps.flat();
    let at = 0;
    for (const each of running) {
      const length = each.step.done ? 0 : each.step.value.length;
      if (!each.step.done) each.step = each.work.next(answers.slice(at, at + length));
      at += length;
    }
  }
  for (const { step } of running) if (step.done) results.push(step.value);
  return results;
}

/**
 * Writes a list of ids or names for `json_each(?)`. One that holds a NUL or half a character is nobody's: PostgreSQL keeps no such
 * text, and would fail on all of the list.
 */
export const listOf = (ids: readonly string[]): string => JSON.stringify(ids.filter((id) => !/\0|\p{Surrogate}/u.test(id)));

/** Reads a column that the schema promises to be text. */
export const text = (row: Row, column: string): string => String(row[column] ?? '');

/** Reads a column that the schema promises to be a number. */
export const integer = (row: Row, column: string): number => Number(row[column] ?? 0);

/** Reads a column of text that may be empty. */
export const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column));

/** Reads a column of a number that may be empty. */
export const integerOrNull = (row: Row, column: string): number | null => (row[column] === null ? null : integer(row, column));

/** Puts a column under a key unless it is null: absent stays absent. */
export const present = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> => {
  const out: Partial<Record<K, V>> = {};
  if (value !== null && value !== undefined) out[key] = value;
  return out;
};
