// PostgreSQL dialect: full-text search syntax, paging, and the translation of the store's SQL.

import type { PostPosition, PostsQuery } from '../../domain/model.ts';
import type { Dialect, PostRowPosition } from '../sql/dialect.ts';
import { boundsOf, POSITION_COLUMNS, postRowPositionOf } from '../sql/paging.ts';
import { jsonListOf, type Operation, queryAll, type SqlValue } from '../sql/statements.ts';

/** A condition on a row `m`, and the values of its placeholders. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const NO_CONDITION: Condition = { sql: '', values: [] };

const positionCondition = (position: PostPosition | undefined, operator: '<' | '>'): Condition =>
  position === undefined
    ? NO_CONDITION
    : {
        sql: `AND (m.date, m.channel, m.message) ${operator} (?, ?, ?)`,
        values: [position.date, position.channelId, position.id],
      };

/**
 * Reads a page over several channels in one statement: up to `limit` posts from each channel's index, then the first of
 * these.
 */
function* readPageByDates(channels: readonly string[], query: PostsQuery): Operation<PostRowPosition[]> {
  const { from, to, newerThan, olderThan } = boundsOf(query);
  const order = query.after ? 'ASC' : 'DESC';
  const [newer, older] = [positionCondition(newerThan, '>'), positionCondition(olderThan, '<')];
  const rows = yield* queryAll(
    `SELECT ${POSITION_COLUMNS} FROM (SELECT value AS requested FROM (SELECT value FROM json_each(?)) ids (value)) c CROSS JOIN LATERAL (
       SELECT ${POSITION_COLUMNS} FROM messages m
       WHERE m.channel = c.requested AND m.head = 1 ${query.media ? 'AND m.media = 1' : ''} AND m.date BETWEEN ? AND ?
         ${newer.sql} ${older.sql}
       ORDER BY m.date ${order}, m.message ${order} LIMIT ?
     ) m ORDER BY date ${order}, channel ${order}, message ${order} LIMIT ?`,
    ...[jsonListOf(channels), from, to, ...newer.values, ...older.values, query.limit, query.limit],
  );
  const page = rows.map(postRowPositionOf);
  return query.after ? page.reverse() : page;
}

/** PostgreSQL's full-text search syntax and paging. */
export const POSTGRES_DIALECT: Dialect = {
  matches: 'w.stems @@ CAST(? AS tsquery)',
  quoteTerm: (word) => `'${word}'`,
  and: ' & ',
  or: ' | ',
  andNot: ' & !',
  readPageOfChannels: readPageByDates,
};

/** SQLite expressions and their PostgreSQL equivalents. Tests of both engines verify that the list is complete. */
const SQLITE_TO_POSTGRES: readonly (readonly [RegExp, string])[] = [
  // A list is looked up by an index. As a join, its estimated 100 values would cause a scan.
  [/(\b(?:WHERE|AND) [\w.]+) IN (\(SELECT value FROM json_each\(\?\)\))/g, '$1 = ANY (ARRAY $2)'],
  [/\(SELECT value FROM json_each\(\?\)\)/g, '(SELECT json_array_elements_text(CAST(CAST(? AS text) AS json)))'],
  [/\bjson_each\(c\.pins\)/g, 'json_each_text(CAST(c.pins AS json))'],
  [/\bjson_group_array\(/g, 'json_agg('],
  [/ INDEXED BY \w+/g, ''],
  [/\binstr\(/g, 'strpos('],
];

/** Translates a statement of the store to PostgreSQL. */
export const toPostgresSql = (text: string): string => {
  let parameterCount = 0;
  return SQLITE_TO_POSTGRES.reduce((sql, [from, to]) => sql.replaceAll(from, to), text).replaceAll(
    '?',
    () => `$${++parameterCount}`,
  );
};
