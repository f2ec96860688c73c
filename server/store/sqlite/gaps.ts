import { type Database, integer } from './database.ts';

// Message ids of a Telegram channel count up by one. An id between two held ones that is not held is missing, unless a source
// said that it knows all that there was (an export from its first to its last message, a service message that nobody reads).

/** Counts the ids between two, both ends left out, that nothing explains. */
const unexplained = (database: Database, channel: string, low: number, high: number): number => {
  let missing = high - low - 1;
  if (missing <= 0) return 0;
  let at = low;
  const ranges = database
    .sql('SELECT low, high FROM explained WHERE channel = ? AND low < ? AND high > ? ORDER BY low, high')
    .all(channel, high, low);
  for (const range of ranges) {
    const from = Math.max(integer(range, 'low'), at + 1);
    const to = Math.min(integer(range, 'high'), high - 1);
    if (to < from) continue;
    missing -= to - from + 1;
    at = to;
  }
  return missing;
};

const neighbour = (database: Database, sql: string, channel: string, message: number): number | null => {
  const found = database.sql(sql).get(channel, message)?.message;
  return typeof found === 'number' ? found : null;
};

const BEFORE = 'SELECT message FROM messages WHERE channel = ? AND message < ? ORDER BY message DESC LIMIT 1';
const AFTER = 'SELECT message FROM messages WHERE channel = ? AND message > ? ORDER BY message LIMIT 1';

const measure = (database: Database, channel: string, message: number): void => {
  const before = neighbour(database, BEFORE, channel, message);
  const gap = before === null ? 0 : unexplained(database, channel, before, message);
  database.sql('UPDATE messages SET gap = ? WHERE channel = ? AND message = ? AND gap <> ?').run(gap, channel, message, gap);
};

/** Measures what is missing before a message that came, and before the one that follows it. */
export const measureGaps = (database: Database, channel: string, message: number): void => {
  measure(database, channel, message);
  const after = neighbour(database, AFTER, channel, message);
  if (after !== null) measure(database, channel, after);
};

/** Notes that a range of ids, both ends included, is all known. */
export const writeExplained = (database: Database, channel: string, from: number, to: number): void => {
  const covered = database.sql('SELECT 1 FROM explained WHERE channel = ? AND low <= ? AND high >= ?').get(channel, from, to);
  if (covered) return;
  database.sql('DELETE FROM explained WHERE channel = ? AND low >= ? AND high <= ?').run(channel, from, to);
  database.sql('INSERT INTO explained (channel, low, high) VALUES (?, ?, ?)').run(channel, from, to);
  const touched = database.sql('SELECT message FROM messages WHERE channel = ? AND gap > 0 AND message > ?').all(channel, from);
  for (const row of touched) measure(database, channel, integer(row, 'message'));
};

/** Lists where something is missing, the newest first. */
export const readGaps = (database: Database, channel: string, limit: number) =>
  database
    .sql('SELECT message, gap FROM messages WHERE channel = ? AND gap > 0 ORDER BY message DESC LIMIT ?')
    .all(channel, limit)
    .map((row) => ({ messageId: integer(row, 'message'), missing: integer(row, 'gap') }));
