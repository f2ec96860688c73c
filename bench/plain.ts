// Plain server for the growth benchmark: runs one textbook statement for each path on the same database, and sends its rows as
// JSON.
import { createServer } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import postgres from 'postgres';

type Ask = (sql: string, values: (string | number)[]) => unknown[] | Promise<unknown[]>;

const HEADS = 'SELECT channel, message, date, body FROM messages WHERE head = 1';
const url = process.env.DATABASE_URL;
const matches = url ? 'w.stems @@ CAST(? AS tsquery)' : 'w.words MATCH ?';
/** Returns a query in the syntax of the engine's index: all words must be present. */
const expression = (words: readonly string[]) =>
  words.map((word) => (url ? `'${word}'` : `"${word}"`)).join(url ? ' & ' : ' AND ');
const list = (names: readonly string[]) => `(${names.map(() => '?').join(', ')})`;

/**
 * Statements by path. Row ids contain the date in their upper bits, so the newest posts of all channels are read in the order of
 * the primary key.
 */
const STATEMENTS: Readonly<Record<string, (of: readonly string[]) => string>> = {
  '/channel': () => `${HEADS} AND channel = ? ORDER BY date DESC, message DESC LIMIT 20`,
  '/older': () => `${HEADS} AND channel = ? AND date < CAST(? AS BIGINT) ORDER BY date DESC, message DESC LIMIT 20`,
  '/feed': (of) => `${HEADS} AND channel IN ${list(of)} ORDER BY date DESC, message DESC LIMIT 20`,
  '/all': () => `${HEADS} ORDER BY id DESC LIMIT 20`,
  '/channels': () => 'SELECT * FROM channels ORDER BY rowid',
  '/post': () => 'SELECT * FROM messages WHERE channel = ? AND message = CAST(? AS BIGINT)',
  '/search': () => `SELECT m.body FROM words w JOIN messages m ON m.id = w.rowid WHERE ${matches} ORDER BY w.rowid DESC LIMIT 20`,
};

const onSqlite = (): Ask => {
  const database = new Database(join(process.env.DATA_DIR ?? '', 'changer.sqlite'), { readonly: true });
  const prepared = new Map<string, Database.Statement<(string | number)[]>>();
  return (sql, values) => {
    const statement = prepared.get(sql) ?? database.prepare<(string | number)[]>(sql);
    prepared.set(sql, statement);
    return statement.all(...values);
  };
};

const onPostgres = (url: string): Ask => {
  const pool = postgres(url);
  // Searches are not prepared: a generic plan for any words would read the complete index.
  return (sql, values) => {
    let at = 0;
    return pool.unsafe(
      sql.replaceAll('?', () => `$${++at}`),
      values,
      { prepare: !sql.includes('@@') },
    );
  };
};

const ask = url ? onPostgres(url) : onSqlite();
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://plain');
  const of = searchParams.getAll('of');
  const values = pathname === '/search' ? [expression(of)] : of;
  const rows = await ask(STATEMENTS[pathname]?.(values) ?? 'SELECT 1', values);
  response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${Object(server.address()).port}`));
