// Bare server for the API benchmark: returns the same rows from the same index as JSON, with the same HTTP library, and
// does nothing else.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const database = new Database(join(process.env.DATA_DIR ?? '', process.env.BENCH_DATABASE ?? 'changer.sqlite'), {
  readonly: true,
});
const selectPage = database.prepare<[string, number], { body: string }>(
  'SELECT body FROM messages WHERE channel = ? AND head = 1 AND date < ? ORDER BY date DESC, message DESC LIMIT 20',
);

const app = Fastify();
app.get<{ Params: { id: string }; Querystring: { before: string } }>('/api/channels/:id/posts', async ({ params, query }) => {
  // A cursor is a JSON array in base64url. Its first item is the date.
  const [date] = JSON.parse(Buffer.from(query.before, 'base64url').toString());
  return { items: selectPage.all(params.id, date).map(({ body }) => JSON.parse(body)) };
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
