import { execute, inPair, integer, type Operation, queryAll, queryFirst } from './statements.ts';

// Gap detection: message ids of a Telegram channel increase by one. An id between two stored ids is missing if it is
// not stored itself. Ids that a source marked as known are not missing: an export marks the ids from its first to its
// last message, and the bot marks service messages that are not stored.

/** Counts the ids between two ids (both excluded) that are neither stored nor marked as known. */
function* countUnknownIds(channel: string, low: number, high: number): Operation<number> {
  let missing = high - low - 1;
  if (missing <= 0) return 0;
  let countedUpTo = low;
  const ranges = yield* queryAll(
    'SELECT low, high FROM explained WHERE channel = ? AND low < ? AND high > ? ORDER BY low, high',
    channel,
    high,
    low,
  );
  for (const range of ranges) {
    const from = Math.max(integer(range, 'low'), countedUpTo + 1);
    const to = Math.min(integer(range, 'high'), high - 1);
    if (to < from) continue;
    missing -= to - from + 1;
    countedUpTo = to;
  }
  return missing;
}

function* findNeighbour(sql: string, channel: string, message: number): Operation<number | null> {
  const found = (yield* queryFirst(sql, channel, message))?.message;
  return typeof found === 'number' ? found : null;
}

const PREVIOUS_MESSAGE = 'SELECT message FROM messages WHERE channel = ? AND message < ? ORDER BY message DESC LIMIT 1';
const NEXT_MESSAGE = 'SELECT message FROM messages WHERE channel = ? AND message > ? ORDER BY message LIMIT 1';

/** Counts the missing ids between a message and the previous one, and stores the number. */
function* storeGap(channel: string, previous: number | null, message: number): Operation<void> {
  const gap = previous === null ? 0 : yield* countUnknownIds(channel, previous, message);
  yield* execute('UPDATE messages SET gap = ? WHERE channel = ? AND message = ? AND gap <> ?', gap, channel, message, gap);
}

function* updateGap(channel: string, message: number): Operation<void> {
  yield* storeGap(channel, yield* findNeighbour(PREVIOUS_MESSAGE, channel, message), message);
}

/** Measures the gap before a new message, and the gap before the message that follows it. */
export function* updateGaps(channel: string, message: number): Operation<void> {
  const [previous, next] = yield* inPair(
    findNeighbour(PREVIOUS_MESSAGE, channel, message),
    findNeighbour(NEXT_MESSAGE, channel, message),
  );
  yield* storeGap(channel, previous, message);
  if (next !== null) yield* storeGap(channel, message, next);
}

/** Marks a range of ids as known, both ends included. */
export function* writeKnownRange(channel: string, from: number, to: number): Operation<void> {
  const knownRange = yield* queryFirst('SELECT 1 FROM explained WHERE channel = ? AND low <= ? AND high >= ?', channel, from, to);
  if (knownRange) return;
  yield* execute('DELETE FROM explained WHERE channel = ? AND low >= ? AND high <= ?', channel, from, to);
  yield* execute('INSERT INTO explained (channel, low, high) VALUES (?, ?, ?)', channel, from, to);
  const laterGaps = yield* queryAll('SELECT message FROM messages WHERE channel = ? AND gap > 0 AND message > ?', channel, from);
  for (const row of laterGaps) yield* updateGap(channel, integer(row, 'message'));
}

/** Lists the gaps, newest first. */
export function* readGaps(channel: string, limit: number): Operation<{ messageId: number; missing: number }[]> {
  const rows = yield* queryAll(
    'SELECT message, gap FROM messages WHERE channel = ? AND gap > 0 ORDER BY message DESC LIMIT ?',
    channel,
    limit,
  );
  return rows.map((row) => ({ messageId: integer(row, 'message'), missing: integer(row, 'gap') }));
}
