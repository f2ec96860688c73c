// Steps of operations: sends the statements of one step together, and returns their results.

import type { Row, SqlStatement, SqlValue, StatementResult } from '../sql/statements.ts';
import type { DatabaseConnection } from './connection-pool.ts';
import { prepareStatement } from './prepared-statements.ts';

export type RunStep = (queries: readonly SqlStatement[]) => Promise<StatementResult[]>;

/** Removes NUL characters: PostgreSQL cannot store them in text, and no reader sees them. */
const stripNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

const hasRows = (query: SqlStatement | undefined): boolean => query?.returns === 'rows' || query?.returns === 'firstRow';

/** Returns a function that sends the statements of a step and calls `onResponse` after each response. */
export const createStep =
  (connection: DatabaseConnection, onResponse?: () => void): RunStep =>
  async (queries) => {
    const statements = queries.map(({ text, values }) => {
      const { text: sql, name } = prepareStatement(text);
      return { text: sql, name, values: values.map(stripNul) };
    });
    const results = await connection.queryAll<Row>(statements, onResponse);
    return results.map(({ rows, count }, index) => ({
      rows: hasRows(queries[index]) ? rows : [],
      changes: count,
    }));
  };

/** Result of a statement that returns nothing, or that was skipped. */
export const EMPTY_RESULT: StatementResult = { rows: [], changes: 0 };

/** Maximum number of deferred statements: a long operation does not hold all its statements in memory. */
const MAX_DEFERRED = 256;

/** Steps of a transaction, of which those without a result are deferred. */
export interface DeferredSteps {
  readonly run: RunStep;
  /** Sends the statements that still wait. */
  flush(): Promise<void>;
  /** Drops the statements that still wait, and returns them. */
  discard(): readonly SqlStatement[];
}

/**
 * Defers the statements that return nothing, and sends them in front of the next statement that returns something, in
 * one packet. A connection executes its statements in order, so each statement sees the effects of the previous ones. An
 * operation rejects at a later step than the one that failed, and its transaction is rolled back in both cases.
 */
export const deferStatements = (runStep: RunStep): DeferredSteps => {
  let deferred: SqlStatement[] = [];
  const send = async (queries: readonly SqlStatement[]): Promise<StatementResult[]> => {
    const sent = [...deferred, ...queries];
    deferred = [];
    return sent.length === 0 ? [] : (await runStep(sent)).slice(sent.length - queries.length);
  };
  return {
    async run(queries) {
      if (deferred.length >= MAX_DEFERRED || queries.some(({ returns }) => returns !== 'nothing')) return send(queries);
      deferred.push(...queries);
      return queries.map(() => EMPTY_RESULT);
    },
    async flush() {
      await send([]);
    },
    discard() {
      const discarded = deferred;
      deferred = [];
      return discarded;
    },
  };
};
