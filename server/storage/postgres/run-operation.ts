// Runs operations on PostgreSQL: sends the statements of each step together.

import type { Operation, SqlStatement } from '../sql/statements.ts';
import { EMPTY_RESULT, type RunStep } from './steps.ts';

/**
 * Remembers statements with a permanent effect (see `SqlStatement.skipIfExecutedFor`), until a transaction is rolled
 * back.
 */
export const createExecutedOnce = () => {
  let executed = new WeakSet<object>();
  return {
    has: ({ skipIfExecutedFor }: SqlStatement): boolean => skipIfExecutedFor !== undefined && executed.has(skipIfExecutedFor),
    addAll: (queries: readonly SqlStatement[]): void => {
      for (const { skipIfExecutedFor } of queries) if (skipIfExecutedFor) executed.add(skipIfExecutedFor);
    },
    clear: (): void => {
      executed = new WeakSet();
    },
  };
};
/** Set of the statements that were executed and need not be executed again. */
export type ExecutedOnce = ReturnType<typeof createExecutedOnce>;

/** Runs the steps of an operation. The statements of one step are sent together. */
export const runOperation = async <T>(operation: Operation<T>, runStep: RunStep, executedOnce: ExecutedOnce): Promise<T> => {
  let step = operation.next([]);
  while (!step.done) {
    const queries = step.value;
    const due = queries.filter((query) => !executedOnce.has(query));
    const results = due.length === 0 ? [] : await runStep(due);
    executedOnce.addAll(queries);
    let next = 0;
    step = operation.next(queries.map((query) => (query === due[next] ? (results[next++] ?? EMPTY_RESULT) : EMPTY_RESULT)));
  }
  return step.value;
};
