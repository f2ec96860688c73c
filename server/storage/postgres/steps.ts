// Steps of operations: sends the statements of one step together, and returns their results.

import type { Row, SqlStatement, SqlValue, StatementResult } from '../sql/statements.ts';
import type { DatabaseConnection } from './connection-pool.ts';
import { prepareStatement } from './prepared-statements.ts';

export type RunStep = (queries: readonly SqlStatement[]) => Promise<StatementResult[]>;

/** Removes NUL characters: PostgreSQL cannot store them in text, and no reader sees them. */
const stripNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

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
      rows: queries[index]?.returns === 'changeCount' ? [] : rows,
      changes: count,
    }));
  };
