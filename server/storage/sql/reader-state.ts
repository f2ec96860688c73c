// Reader state: SQL of line-ups, read markers and stars, and the merge of an anonymous device's state.

import { type DeviceState, MAX_MARKS, MAX_STARS, type ReadMarker, type Star } from '../../../contract/api.ts';
import { MAX_LINEUP_ENTRIES, MAX_PRESETS } from '../../../contract/limits.ts';
import type { Lineup, LineupChange, LineupContents } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import { runOnce } from './idempotency.ts';
import { mergeKeptUnread } from './kept-unread.ts';
import { execute, integer, type Operation, queryAll, queryFirst, type Row, text } from './statements.ts';

/** Reads a line-up. A line-up that was never saved is empty and has version 0. */
export function* readLineup(readerId: string): Operation<Lineup> {
  const row = yield* queryFirst('SELECT version, contents FROM lineups WHERE reader = ?', readerId);
  return row ? { ...JSON.parse(text(row, 'contents')), version: integer(row, 'version') } : { entries: [], version: 0 };
}

function* writeLineupContents(readerId: string, contents: LineupContents): Operation<void> {
  yield* execute(
    `INSERT INTO lineups (reader, version, contents) VALUES (?, 1, ?)
       ON CONFLICT (reader) DO UPDATE SET version = lineups.version + 1, contents = excluded.contents`,
    readerId,
    JSON.stringify(contents),
  );
}

/**
 * Saves a line-up under the next version number. If it is based on another version than the stored one, it is merged;
 * otherwise it replaces the stored one.
 */
export function* writeLineup(readerId: string, { version, ...incoming }: LineupChange, key?: string): Operation<Lineup> {
  yield* runOnce(readerId, key, function* () {
    const { version: currentVersion, ...current } = yield* readLineup(readerId);
    const isStale = version !== undefined && version !== currentVersion;
    yield* writeLineupContents(readerId, isStale ? mergeLineups(current, incoming) : incoming);
  });
  return yield* readLineup(readerId);
}

const readMarkerOf = (row: Row): ReadMarker => ({ channelId: text(row, 'channel'), messageId: integer(row, 'message') });

/** Lists a reader's read markers. */
export function* listReadMarkers(readerId: string): Operation<ReadMarker[]> {
  return (yield* queryAll('SELECT channel, message FROM marks WHERE reader = ? ORDER BY channel', readerId)).map(readMarkerOf);
}

/**
 * Moves a read marker forwards, or to exactly the given message. `exact` with message 0 deletes it, as if the channel
 * had never been opened.
 */
export function* writeReadMarker(readerId: string, marker: ReadMarker, exact: boolean, key?: string): Operation<ReadMarker> {
  const { channelId } = marker;
  yield* runOnce(readerId, key, () => moveReadMarker(readerId, marker, exact));
  const row = yield* queryFirst('SELECT channel, message FROM marks WHERE reader = ? AND channel = ?', readerId, channelId);
  return row ? readMarkerOf(row) : { channelId, messageId: 0 };
}

function* moveReadMarker(readerId: string, { channelId, messageId }: ReadMarker, exact: boolean): Operation<void> {
  if (exact && messageId === 0) {
    yield* execute('DELETE FROM marks WHERE reader = ? AND channel = ?', readerId, channelId);
    return;
  }
  const onlyForwards = exact ? '' : 'WHERE marks.message < excluded.message';
  yield* execute(
    `INSERT INTO marks (reader, channel, message) VALUES (?, ?, ?)
     ON CONFLICT (reader, channel) DO UPDATE SET message = excluded.message ${onlyForwards}`,
    readerId,
    channelId,
    messageId,
  );
}

const starOf = (row: Row): Star => ({ channelId: text(row, 'channel'), postId: integer(row, 'post'), at: integer(row, 'at') });

/** Lists a reader's stars, newest first. */
export function* readStars(
  readerId: string,
  before: { at: number; channelId: string; postId: number } | null,
  limit: number,
): Operation<Star[]> {
  const position = before ?? { at: Number.MAX_SAFE_INTEGER, channelId: '', postId: 0 };
  return (yield* queryAll(
    `SELECT channel, post, at FROM stars WHERE reader = ? AND (at, channel, post) < (?, ?, ?)
       ORDER BY at DESC, channel DESC, post DESC LIMIT ?`,
    readerId,
    position.at,
    position.channelId,
    position.postId,
    limit,
  )).map(starOf);
}

/** Stars a post. An existing star keeps its time. */
export function* writeStar(readerId: string, { channelId, postId, at }: Star, key?: string): Operation<void> {
  yield* runOnce(readerId, key, function* () {
    yield* execute(
      'INSERT INTO stars (reader, channel, post, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      readerId,
      channelId,
      postId,
      at,
    );
  });
}

/** Deletes a star. */
export function* deleteStar(readerId: string, channelId: string, postId: number, key?: string): Operation<void> {
  yield* runOnce(readerId, key, function* () {
    yield* execute('DELETE FROM stars WHERE reader = ? AND channel = ? AND post = ?', readerId, channelId, postId);
  });
}

/** Merges the state of an anonymous device into the reader's state. */
export function* writeMergedState(readerId: string, deviceState: DeviceState, key?: string): Operation<void> {
  yield* runOnce(readerId, key, () => mergeIntoReader(readerId, deviceState));
}

/** Merges items up to the limits, so that the data of an account stays bounded, whatever a device sends. */
function* mergeIntoReader(
  readerId: string,
  { entries, presets = [], marks, stars, keptUnread = [] }: DeviceState,
): Operation<void> {
  const { version: _version, ...current } = yield* readLineup(readerId);
  const newEntries = missingItems(current.entries, entries, channelIdOf, MAX_LINEUP_ENTRIES);
  const newPresets = missingItems(current.presets ?? [], presets, ({ id }) => id, MAX_PRESETS);
  if (newEntries.length + newPresets.length > 0)
    yield* writeLineupContents(readerId, {
      ...current,
      entries: [...current.entries, ...newEntries],
      ...(newPresets.length > 0 && { presets: [...(current.presets ?? []), ...newPresets] }),
    });
  const readMarkers = yield* listReadMarkers(readerId);
  const newMarkers = missingItems(readMarkers, marks, channelIdOf, MAX_MARKS);
  const markedChannelIds = new Set([...readMarkers, ...newMarkers].map(channelIdOf));
  for (const marker of marks) if (markedChannelIds.has(marker.channelId)) yield* moveReadMarker(readerId, marker, false);
  const starCount = integer((yield* queryFirst('SELECT count(*) AS stars FROM stars WHERE reader = ?', readerId)) ?? {}, 'stars');
  yield* writeStars(readerId, stars.slice(0, Math.max(0, MAX_STARS - starCount)));
  yield* mergeKeptUnread(readerId, keptUnread);
}

const channelIdOf = ({ channelId }: { readonly channelId: string }): string => channelId;

/** Returns the incoming items that do not exist yet, until both lists together have `limit` items. */
function missingItems<Item>(
  existing: readonly Item[],
  incoming: readonly Item[],
  keyOf: (item: Item) => string,
  limit: number,
): Item[] {
  const known = new Set(existing.map(keyOf));
  // Each item is added to `known`, so that duplicates in `incoming` are left out too.
  const missing = incoming.filter((item) => !known.has(keyOf(item)) && known.add(keyOf(item)));
  return missing.slice(0, Math.max(0, limit - existing.length));
}

/** Rows per statement. One statement for each of 10,000 stars takes three times as long. */
const ROWS_PER_STATEMENT = 200;

function* writeStars(readerId: string, stars: readonly Star[]): Operation<void> {
  for (let from = 0; from < stars.length; from += ROWS_PER_STATEMENT) {
    const rows = stars.slice(from, from + ROWS_PER_STATEMENT);
    const placeholders = rows.map(() => '(?, ?, ?, ?)').join(', ');
    const values = rows.flatMap(({ channelId, postId, at }) => [readerId, channelId, postId, at]);
    yield* execute(`INSERT INTO stars (reader, channel, post, at) VALUES ${placeholders} ON CONFLICT DO NOTHING`, ...values);
  }
}
