import { all, get, integer, run, type Work } from './statements.ts';

// Gap detection: message ids of a Telegram channel increase by one. An id between two stored ids is missing if it is not stored
// itself. The exception are ids that a source marked as known: an export from its first to its last message, or a service message
// that is not stored.

/** Counts the ids between two ids (both excluded) that are neither stored nor marked as known. */
function* unexplained(channel: string, low: number, high: number): Work<number> {
  let missing = high - low - 1;
  if (missing <= 0) return 0;
  let at = low;
  const ranges = yield* all(
    'SELECT low, high FROM explained WHERE channel = ? AND low < ? AND high > ? ORDER BY low, high',
    channel,
    high,
    low,
  );
  for (const range of ranges) {
    const from = Math.max(integer(range, 'low'), at + 1);
    const to = Math.min(integer(range, 'high'), high - 1);
    if (to < from) continue;
    missing -= to - from + 1;
    at = to;
  }
  return missing;
}

function* neighbour(sql: string, channel: string, message: number): Work<number | null> {
  const found = (yield* get(sql, channel, message))?.message;
  return typeof found === 'number' ? found : null;
}

const BEFORE = 'SELECT message FROM messages WHERE channel = ? AND message < ? ORDER BY message DESC LIMIT 1';
const AFTER = 'SELECT message FROM messages WHERE channel = ? AND message > ? ORDER BY message LIMIT 1';

function* measure(channel: string, message: number): Work<void> {
  const before = yield* neighbour(BEFORE, channel, message);
  const gap = before === null ? 0 : yield* unexplained(channel, before, message);
  yield* run('UPDATE messages SET gap = ? WHERE channel = ? AND message = ? AND gap <> ?', gap, channel, message, gap);
}

/** Measures the gap before a new message, and the gap before the message that follows it. */
export function* measureGaps(channel: string, message: number): Work<void> {
  yield* measure(channel, message);
  const after = yield* neighbour(AFTER, channel, message);
  if (after !== null) yield* measure(channel, after);
}

/** Marks a range of ids as known, both ends included. */
export function* writeExplained(channel: string, from: number, to: number): Work<void> {
  const covered = yield* get('SELECT 1 FROM explained WHERE channel = ? AND low <= ? AND high >= ?', channel, from, to);
  if (covered) return;
  yield* run('DELETE FROM explained WHERE channel = ? AND low >= ? AND high <= ?', channel, from, to);
  yield* run('INSERT INTO explained (channel, low, high) VALUES (?, ?, ?)', channel, from, to);
  const touched = yield* all('SELECT message FROM messages WHERE channel = ? AND gap > 0 AND message > ?', channel, from);
  for (const row of touched) yield* measure(channel, integer(row, 'message'));
}

/** Lists the gaps, newest first. */
export function* readGaps(channel: string, limit: number): Work<{ messageId: number; missing: number }[]> {
  const rows = yield* all(
    'SELECT message, gap FROM messages WHERE channel = ? AND gap > 0 ORDER BY message DESC LIMIT ?',
    channel,
    limit,
  );
  return rows.map((row) => ({ messageId: integer(row, 'message'), missing: integer(row, 'gap') }));
}
