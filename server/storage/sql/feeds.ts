// Feed queue and feed items: SQL that claims due feeds, assigns message ids to feed items, and manages feeds that
// readers added.

import type { FeedStore, NumberedItem, SourceFeed, UnnumberedItem } from '../ports/feeds.ts';
import { writeChannel } from './channels.ts';
import type { Engine } from './engine.ts';
import { appendEvent } from './events.ts';
import {
  execute,
  executeAndCount,
  integer,
  integerOrNull,
  jsonListOf,
  type Operation,
  queryAll,
  queryFirst,
  type Row,
  text,
  textOrNull,
} from './statements.ts';

const feedOf = (row: Row): SourceFeed => ({
  channelId: text(row, 'channel'),
  url: text(row, 'url'),
  etag: textOrNull(row, 'etag'),
  lastModified: textOrNull(row, 'last_modified'),
  due: integerOrNull(row, 'due'),
  interval: integer(row, 'interval'),
  failures: integer(row, 'failures'),
  failingSince: integerOrNull(row, 'failing_since'),
  error: textOrNull(row, 'error'),
  checkedAt: integerOrNull(row, 'checked_at'),
});

function* writeFeed(feed: SourceFeed): Operation<void> {
  if (!(yield* queryFirst('SELECT 1 FROM channels WHERE id = ?', feed.channelId))) return;
  yield* execute(
    `INSERT INTO feeds (channel, url, host, etag, last_modified, due, interval, failures, failing_since, error,
         checked_at, taken_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT (channel) DO UPDATE SET url = excluded.url, host = excluded.host, etag = excluded.etag,
       last_modified = excluded.last_modified, due = excluded.due, interval = excluded.interval, failures = excluded.failures,
       failing_since = excluded.failing_since, error = excluded.error, checked_at = excluded.checked_at, taken_until = 0`,
    ...[feed.channelId, feed.url, new URL(feed.url).hostname, feed.etag, feed.lastModified, feed.due, feed.interval],
    ...[feed.failures, feed.failingSince, feed.error, feed.checkedAt],
  );
}

const POLLED_FEEDS = `feeds f JOIN channels c ON c.id = f.channel AND c.withdrawn = 0 AND c.state <> 'archived'`;

// Feeds of operators come first, so that slow feeds of readers do not delay them.
const DUE_FEED = `
  SELECT f.* FROM ${POLLED_FEEDS}
  WHERE f.due <= ? AND f.taken_until <= ?
    AND NOT EXISTS (SELECT 1 FROM feeds o WHERE o.host = f.host AND o.taken_until > ?)
  ORDER BY c.elsewhere, f.due LIMIT 1`;

function* findFeed(now: number, channelId: string | undefined): Operation<Row | undefined> {
  return channelId === undefined
    ? yield* queryFirst(DUE_FEED, now, now, now)
    : yield* queryFirst('SELECT * FROM feeds WHERE channel = ? AND taken_until <= ?', channelId, now);
}

function* claimFeed(now: number, until: number, channelId: string | undefined): Operation<SourceFeed | null> {
  const row = yield* findFeed(now, channelId);
  if (!row) return null;
  yield* execute('UPDATE feeds SET taken_until = ? WHERE channel = ?', until, text(row, 'channel'));
  return feedOf(row);
}

function* countFailingFeeds(): Operation<number> {
  return integer((yield* queryFirst(`SELECT count(*) AS failing FROM ${POLLED_FEEDS} WHERE f.failures > 0`)) ?? {}, 'failing');
}

/**
 * Ids per second of a feed's items: 15 digits until the year 2286. If one second had more items, their ids would
 * continue into the ids of the next second.
 */
const IDS_PER_SECOND = 100_000;
const IDS_PER_ITEM = 10;

/** Returns the next free message id in the second of a date. */
function* findFreeId(channel: string, date: number): Operation<number> {
  const firstId = date * IDS_PER_SECOND;
  const row = yield* queryFirst(
    'SELECT max(message) AS last FROM feed_items WHERE channel = ? AND message >= ? AND message < ?',
    channel,
    firstId,
    firstId + IDS_PER_SECOND,
  );
  let id = (row?.last ? integer(row, 'last') : firstId) + IDS_PER_ITEM;
  while (yield* queryFirst('SELECT 1 FROM feed_items WHERE channel = ? AND message = ?', channel, id)) id += IDS_PER_ITEM;
  return id;
}

function* numberNewItem(channel: string, item: UnnumberedItem, now: number): Operation<NumberedItem> {
  const date = Math.min(item.date ?? now, now);
  const updated = Math.min(item.updated ?? 0, now);
  const edited = updated > date ? updated : null;
  return {
    key: item.key,
    id: yield* findFreeId(channel, date),
    date,
    edited,
    modifiedAt: edited ?? date,
    shouldFetchFiles: item.shouldFetchFiles,
    isChanged: true,
  };
}

const existingItemOf = (row: Row): NumberedItem => ({
  key: text(row, 'key'),
  id: integer(row, 'message'),
  date: integer(row, 'date'),
  edited: integerOrNull(row, 'edited'),
  modifiedAt: integer(row, 'seen'),
  shouldFetchFiles: row.fresh === 1,
  isChanged: false,
});

/**
 * Returns the item with the time of its change: the feed's own time if it is newer, otherwise the time of detection.
 */
const changedItem = (existing: NumberedItem, { updated }: UnnumberedItem, now: number): NumberedItem => {
  const reportedAt = updated !== null && updated <= now && updated > existing.modifiedAt ? updated : now;
  const edited = Math.max(reportedAt, existing.date);
  return { ...existing, edited, modifiedAt: Math.max(edited, existing.modifiedAt + 1), isChanged: true };
};

function* numberItem(channel: string, item: UnnumberedItem, now: number): Operation<NumberedItem> {
  const row = yield* queryFirst('SELECT * FROM feed_items WHERE channel = ? AND key = ?', channel, item.key);
  if (row && row.hash === item.hash) return existingItemOf(row);
  const numbered = row ? changedItem(existingItemOf(row), item, now) : yield* numberNewItem(channel, item, now);
  yield* execute(
    `INSERT INTO feed_items (channel, key, message, date, edited, seen, fresh, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (channel, key) DO UPDATE SET message = excluded.message, date = excluded.date, edited = excluded.edited,
       seen = excluded.seen, fresh = excluded.fresh, hash = excluded.hash`,
    ...[
      channel,
      item.key,
      numbered.id,
      numbered.date,
      numbered.edited,
      numbered.modifiedAt,
      numbered.shouldFetchFiles ? 1 : 0,
      item.hash,
    ],
  );
  return numbered;
}

const idsOf = (rows: readonly Row[]): string[] => rows.map((row) => text(row, 'id'));

function* readExternalChannelIds(): Operation<string[]> {
  return idsOf(yield* queryAll('SELECT id FROM channels WHERE elsewhere = 1 ORDER BY rowid'));
}

function* addExternalChannel({ id, title }: { id: string; title: string }, maxChannels: number, now: number): Operation<boolean> {
  if (yield* queryFirst('SELECT 1 FROM channels WHERE id = ?', id)) return true;
  if ((yield* readExternalChannelIds()).length >= maxChannels) return false;
  yield* writeChannel({ id, title, source: 'feed', state: 'live', private: false, demo: false, elsewhere: true });
  yield* execute('UPDATE channels SET asked = ? WHERE id = ?', now, id);
  return true;
}

function* promoteExternalChannel(id: string): Operation<void> {
  const promotedCount = yield* executeAndCount('UPDATE channels SET elsewhere = 0 WHERE id = ? AND elsewhere = 1', id);
  if (promotedCount > 0) yield* appendEvent('channel', id, null);
}

const DAY_SECONDS = 86_400;
const NOT_TOUCHED_TODAY = 'elsewhere = 1 AND asked <= ? AND id IN (SELECT value FROM json_each(?))';

/** Channels that no line-up contains, in its entries or presets. */
const UNREQUESTED_CHANNELS = `
  SELECT id FROM channels c WHERE elsewhere = 1 AND asked < ?
    AND NOT EXISTS (SELECT 1 FROM lineups WHERE instr(contents, '"' || c.id || '"') > 0)`;

function* readSourceFeed(sql: string, value: string): Operation<SourceFeed | null> {
  const row = yield* queryFirst(sql, value);
  return row ? feedOf(row) : null;
}

function* readFeedsByChannel(channelIds: readonly string[]): Operation<Map<string, SourceFeed>> {
  const rows = yield* queryAll('SELECT * FROM feeds WHERE channel IN (SELECT value FROM json_each(?))', jsonListOf(channelIds));
  return new Map(rows.map((row) => [text(row, 'channel'), feedOf(row)]));
}

function* numberItems(channel: string, items: readonly UnnumberedItem[], now: number): Operation<NumberedItem[]> {
  const numbered: NumberedItem[] = [];
  for (const item of items) numbered.push(yield* numberItem(channel, item, now));
  return numbered;
}

/** Feed methods of the store. */
export const createFeedStore = ({ read, write }: Engine): FeedStore => ({
  putFeed: (feed) => write(writeFeed(feed)),
  feed: (channelId) => read(readSourceFeed('SELECT * FROM feeds WHERE channel = ?', channelId)),
  feedsByChannel: (channelIds) => read(readFeedsByChannel(channelIds)),
  feedByUrl: (url) => read(readSourceFeed('SELECT * FROM feeds WHERE url = ?', url)),
  // Most calls find no due feed, and only a due feed justifies the write lock.
  claimFeed: async (now, until, channelId) =>
    (await read(findFeed(now, channelId))) ? write(claimFeed(now, until, channelId)) : null,
  countFailingFeeds: () => read(countFailingFeeds()),
  numberItems: (channelId, items, now) => write(numberItems(channelId, items, now)),
  addExternalChannel: (channel, maxChannels, now) => write(addExternalChannel(channel, maxChannels, now)),
  externalChannelIds: () => read(readExternalChannelIds()),
  promoteExternalChannel: (channelId) => write(promoteExternalChannel(channelId)),
  touchExternalChannels: async (channelIds, now) => {
    const conditionValues = [now - DAY_SECONDS, jsonListOf(channelIds)];
    // Most requests are not the first of the day, and only the first one justifies the write lock.
    if ((await read(queryFirst(`SELECT 1 FROM channels WHERE ${NOT_TOUCHED_TODAY}`, ...conditionValues))) === undefined) return;
    await write(execute(`UPDATE channels SET asked = ? WHERE ${NOT_TOUCHED_TODAY}`, now, ...conditionValues));
  },
  unrequestedExternalChannels: async (before) => idsOf(await read(queryAll(UNREQUESTED_CHANNELS, before))),
});
