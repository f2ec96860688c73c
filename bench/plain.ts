// Plain server for the growth benchmark: runs one textbook statement for each path on the same database, and sends its
// rows as JSON.
import { createServer } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { prepareStatement } from '../server/storage/postgres/prepared-statements.ts';

type RunQuery = (sql: string, values: (string | number)[]) => unknown[] | Promise<unknown[]>;

const POSTS_SELECT = 'SELECT channel, message, date, body FROM messages WHERE head = 1';
const databaseUrl = process.env.DATABASE_URL;
const matchCondition = databaseUrl ? 'w.stems @@ CAST(? AS tsquery)' : 'w.words MATCH ?';
/** Returns a query in the syntax of the engine's index: all words must be present. */
const matchExpression = (terms: readonly string[]) =>
  terms.map((term) => (databaseUrl ? `'${term}'` : `"${term}"`)).join(databaseUrl ? ' & ' : ' AND ');
const placeholders = (names: readonly string[]) => `(${names.map(() => '?').join(', ')})`;

/**
 * Statements by path. Row ids contain the date in their upper bits, so the newest posts of all channels are read in the
 * order of the primary key.
 */
const STATEMENTS: Readonly<Record<string, (values: readonly string[]) => string>> = {
  '/channel': () => `${POSTS_SELECT} AND channel = ? ORDER BY date DESC, message DESC LIMIT 20`,
  '/older': () => `${POSTS_SELECT} AND channel = ? AND date < CAST(? AS BIGINT) ORDER BY date DESC, message DESC LIMIT 20`,
  '/feed': (values) => `${POSTS_SELECT} AND channel IN ${placeholders(values)} ORDER BY date DESC, message DESC LIMIT 20`,
  '/all': () => `${POSTS_SELECT} ORDER BY id DESC LIMIT 20`,
  '/channels': () => 'SELECT * FROM channels ORDER BY rowid LIMIT 100',
  '/post': () => 'SELECT * FROM messages WHERE channel = ? AND message = CAST(? AS BIGINT)',
  '/search': () =>
    `SELECT m.body FROM words w JOIN messages m ON m.id = w.rowid WHERE ${matchCondition} ORDER BY w.rowid DESC LIMIT 20`,
};

const connectSqlite = (): RunQuery => {
  const database = new Database(join(process.env.DATA_DIR ?? '', 'changer.sqlite'), { readonly: true });
  const prepared = new Map<string, Database.Statement<(string | number)[]>>();
  return (sql, values) => {
    const statement = prepared.get(sql) ?? database.prepare<(string | number)[]>(sql);
    prepared.set(sql, statement);
    return statement.all(...values);
  };
};

const connectPostgres = (url: string): RunQuery => {
  const pool = new pg.Pool({ connectionString: url });
  return async (sql, values) => (await pool.query({ ...prepareStatement(sql), values })).rows;
};

const runQuery = databaseUrl ? connectPostgres(databaseUrl) : connectSqlite();
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://plain');
  const parameters = searchParams.getAll('of');
  const values = pathname === '/search' ? [matchExpression(parameters)] : parameters;
  const rows = await runQuery(STATEMENTS[pathname]?.(values) ?? 'SELECT 1', values);
  response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${Object(server.address()).port}`));
