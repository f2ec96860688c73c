// Database operations: generators that yield SQL statements and receive their results. They are written once for both
// engines. Each `yield` is a step: a list of statements that do not need each other's results. SQLite runs the steps
// synchronously, so that nothing runs between the steps of an operation. PostgreSQL sends the statements of a step
// together.

/** Value of a statement's parameter. */
export type SqlValue = string | number | null;

/** A row as every engine returns it: true is 1. */
export type Row = Record<string, SqlValue>;

/** A statement in the SQL subset of both engines (see docs/storage.md), with `?` for its values. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /**
   * The result: all rows, the first row, the number of changed rows, or nothing. A transaction of PostgreSQL sends
   * statements that return nothing together with the next statement that returns something.
   */
  readonly returns: 'rows' | 'firstRow' | 'changeCount' | 'nothing';
  /**
   * Object, compared by identity, that the statement depends on. After a step ran statements with this object, an
   * engine skips later statements with the same object, until a transaction is rolled back. It is set if the effect of
   * the statements is permanent, so that a repetition would change nothing.
   */
  readonly skipIfExecutedFor?: object;
  /** The statement inserts an event for readers: after the commit, the other processes are notified. */
  readonly appendsEvent?: true;
}

/**
 * A statement that changes rows. A function that creates one declares this return type, so that the compiler rejects an
 * unknown member.
 */
export type ChangeStatement = Omit<SqlStatement, 'returns'>;

/** Result of a statement: the rows that it returned, or the number of rows that it changed. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changes: number;
}

/** Database operation: yields the statements of each step, receives their results, and returns a value of type `T`. */
export type Operation<T> = Generator<readonly SqlStatement[], T, readonly StatementResult[]>;

/** Runs one statement, as a separate step. */
export function* runStatement(query: SqlStatement): Operation<StatementResult> {
  const [result] = yield [query];
  if (!result) throw new Error('The engine returned no result for a statement.');
  return result;
}

/** Runs a statement and returns all rows. */
export function* queryAll(text: string, ...values: SqlValue[]): Operation<readonly Row[]> {
  return (yield* runStatement({ text, values, returns: 'rows' })).rows;
}

/** Runs a statement and returns its first row. */
export function* queryFirst(text: string, ...values: SqlValue[]): Operation<Row | undefined> {
  return (yield* runStatement({ text, values, returns: 'firstRow' })).rows[0];
}

/** Runs a statement that changes rows. Its effect is visible to the following statements. */
export function* execute(text: string, ...values: SqlValue[]): Operation<void> {
  yield [{ text, values, returns: 'nothing' }];
}

/** Runs a statement and returns the number of rows that it changed. */
export function* executeAndCount(text: string, ...values: SqlValue[]): Operation<number> {
  return (yield* runStatement({ text, values, returns: 'changeCount' })).changes;
}

/** Runs several statements that do not need each other's results, in one step. */
export function* executeEach(queries: readonly ChangeStatement[]): Operation<void> {
  if (queries.length > 0) yield queries.map((query) => ({ ...query, returns: 'nothing' }));
}

/**
 * Runs several reading operations in parallel: the statements of all first steps in one step, then those of the second
 * steps, and so on. Returns their results in the order of `operations`.
 */
export function* inParallel<T>(operations: readonly Operation<T>[]): Operation<T[]> {
  const runners = operations.map((operation) => ({ operation, step: operation.next([]) }));
  const results: T[] = [];
  for (;;) {
    const steps = runners.map(({ step }) => (step.done ? [] : step.value));
    if (runners.every(({ step }) => step.done)) break;
    const stepResults = yield steps.flat();
    let offset = 0;
    for (const runner of runners) {
      const count = runner.step.done ? 0 : runner.step.value.length;
      if (!runner.step.done) runner.step = runner.operation.next(stepResults.slice(offset, offset + count));
      offset += count;
    }
  }
  for (const { step } of runners) if (step.done) results.push(step.value);
  return results;
}

/** Runs two reading operations in parallel, as `inParallel` does. Returns both results. */
export function* inPair<One, Other>(one: Operation<One>, other: Operation<Other>): Operation<[One, Other]> {
  const [ones, others]: [One[], Other[]] = [[], []];
  yield* inParallel<unknown>([collectResult(one, ones), collectResult(other, others)]);
  const [[first], [second]] = [ones, others];
  return [first as One, second as Other];
}

function* collectResult<T>(operation: Operation<T>, results: T[]): Operation<void> {
  results.push(yield* operation);
}

/** Returns a value without a statement, where an operation is needed. */
// biome-ignore lint/correctness/useYield: an operation without a step.
export function* noOperation<T>(value: T): Operation<T> {
  return value;
}

/** Repeats the last id up to a power of two, so that few distinct statements are prepared. */
export const padToPowerOfTwo = (ids: readonly number[]): number[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(ids.length)) }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? 0);

/**
 * Serializes a list of ids or names for `json_each(?)`. Leaves out ids with a NUL or an unpaired surrogate, because no
 * such id exists: PostgreSQL cannot store such text, and would fail for the complete list.
 */
export const jsonListOf = (ids: readonly string[]): string => JSON.stringify(ids.filter((id) => !/\0|\p{Surrogate}/u.test(id)));

/** Reads a column that the schema guarantees to be text. */
export const text = (row: Row, column: string): string => String(row[column] ?? '');

/** Reads a column that the schema guarantees to be a number. */
export const integer = (row: Row, column: string): number => Number(row[column] ?? 0);

/** Reads a nullable text column. */
export const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column));

/** Reads a nullable number column. */
export const integerOrNull = (row: Row, column: string): number | null => (row[column] === null ? null : integer(row, column));

/** Returns an object with the value under a key, or an empty object for null. */
export const optionalField = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> => {
  const fields: Partial<Record<K, V>> = {};
  if (value !== null && value !== undefined) fields[key] = value;
  return fields;
};
