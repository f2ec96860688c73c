import type { Feed, FeedStore, NumberedItem, ReadItem } from '../feeds.ts';
import { writeChannel } from './channels.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { noteEvent } from './events.ts';

const optionalText = (row: Row, column: string) => (row[column] === null ? null : text(row, column));
const optionalNumber = (row: Row, column: string) => (row[column] === null ? null : integer(row, column));

const feedOf = (row: Row): Feed => ({
  channelId: text(row, 'channel'),
  url: text(row, 'url'),
  etag: optionalText(row, 'etag'),
  lastModified: optionalText(row, 'last_modified'),
  due: optionalNumber(row, 'due'),
  interval: integer(row, 'interval'),
  failures: integer(row, 'failures'),
  failingSince: optionalNumber(row, 'failing_since'),
  error: optionalText(row, 'error'),
  checkedAt: optionalNumber(row, 'checked_at'),
});

const writeFeed = (database: Database, feed: Feed): void => {
  if (!database.sql('SELECT 1 FROM channels WHERE id = ?').get(feed.channelId)) return;
  database
    .sql(
      `INSERT OR REPLACE INTO feeds (channel, url, host, etag, last_modified, due, interval, failures, failing_since, error,
         checked_at, taken_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    )
    .run(
      ...[feed.channelId, feed.url, new URL(feed.url).hostname, feed.etag, feed.lastModified, feed.due, feed.interval],
      ...[feed.failures, feed.failingSince, feed.error, feed.checkedAt],
    );
};

// Whoever adds slow feeds from elsewhere holds up none of the operators'.
const DUE = `
  SELECT f.* FROM feeds f JOIN channels c ON c.id = f.channel
  WHERE f.due <= ? AND f.taken_until <= ? AND c.withdrawn = 0 AND c.state <> 'archived'
    AND NOT EXISTS (SELECT 1 FROM feeds o WHERE o.host = f.host AND o.taken_until > ?)
  ORDER BY c.elsewhere, f.due LIMIT 1`;

const findFeed = (database: Database, now: number, channelId: string | undefined): Row | undefined =>
  channelId === undefined
    ? database.sql(DUE).get(now, now, now)
    : database.sql('SELECT * FROM feeds WHERE channel = ? AND taken_until <= ?').get(channelId, now);

const takeFeed = (database: Database, now: number, until: number, channelId: string | undefined): Feed | null => {
  const row = findFeed(database, now, channelId);
  if (!row) return null;
  database.sql('UPDATE feeds SET taken_until = ? WHERE channel = ?').run(until, text(row, 'channel'));
  return feedOf(row);
};

/** Ids of one second's items: 15 digits until the year 2286. Were there ever more, they would run on into the next second's. */
const IDS_A_SECOND = 100_000;
const IDS_AN_ITEM = 10;

const freeId = (database: Database, channel: string, date: number): number => {
  const first = date * IDS_A_SECOND;
  const row = database
    .sql('SELECT max(message) AS last FROM feed_items WHERE channel = ? AND message >= ? AND message < ?')
    .get(channel, first, first + IDS_A_SECOND);
  const taken = database.sql('SELECT 1 FROM feed_items WHERE channel = ? AND message = ?');
  let id = (row?.last ? integer(row, 'last') : first) + IDS_AN_ITEM;
  while (taken.get(channel, id)) id += IDS_AN_ITEM;
  return id;
};

const newItem = (database: Database, channel: string, item: ReadItem, now: number): NumberedItem => {
  const date = Math.min(item.date ?? now, now);
  const updated = Math.min(item.updated ?? 0, now);
  const edited = updated > date ? updated : null;
  return { key: item.key, id: freeId(database, channel, date), date, edited, seen: edited ?? date, fresh: item.fresh };
};

const heldItem = (row: Row): NumberedItem => ({
  key: text(row, 'key'),
  id: integer(row, 'message'),
  date: integer(row, 'date'),
  edited: optionalNumber(row, 'edited'),
  seen: integer(row, 'seen'),
  fresh: row.fresh === 1,
});

/** The time that the feed tells of the change, where it is a later one, else the time at which it was noticed. */
const changedItem = (held: NumberedItem, { updated }: ReadItem, now: number): NumberedItem => {
  const told = updated !== null && updated <= now && updated > held.seen ? updated : now;
  const edited = Math.max(told, held.date);
  return { ...held, edited, seen: Math.max(edited, held.seen + 1) };
};

const numberItem = (database: Database, channel: string, item: ReadItem, now: number): NumberedItem => {
  const row = database.sql('SELECT * FROM feed_items WHERE channel = ? AND key = ?').get(channel, item.key);
  if (row && row.hash === item.hash) return heldItem(row);
  const numbered = row ? changedItem(heldItem(row), item, now) : newItem(database, channel, item, now);
  database
    .sql(
      'INSERT OR REPLACE INTO feed_items (channel, key, message, date, edited, seen, fresh, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(...[channel, item.key, numbered.id, numbered.date, numbered.edited, numbered.seen, numbered.fresh ? 1 : 0, item.hash]);
  return numbered;
};

const idsOf = (rows: readonly Row[]): string[] => rows.map((row) => text(row, 'id'));

const elsewhereIds = (database: Database): string[] =>
  idsOf(database.sql('SELECT id FROM channels WHERE elsewhere = 1 ORDER BY rowid').all());

const addElsewhere = (database: Database, { id, title }: { id: string; title: string }, most: number, now: number): boolean => {
  if (database.sql('SELECT 1 FROM channels WHERE id = ?').get(id)) return true;
  if (elsewhereIds(database).length >= most) return false;
  writeChannel(database, { id, title, source: 'feed', state: 'live', private: false, demo: false, elsewhere: true });
  database.sql('UPDATE channels SET asked = ? WHERE id = ?').run(now, id);
  return true;
};

const adopt = (database: Database, id: string): void => {
  const { changes } = database.sql('UPDATE channels SET elsewhere = 0 WHERE id = ? AND elsewhere = 1').run(id);
  if (changes) noteEvent(database, 'channel', id, null);
};

const DAY = 86_400;
const ASKED_ANEW = 'elsewhere = 1 AND asked <= ? AND id IN (SELECT value FROM json_each(?))';

/** A line-up names a channel in its entries and its presets. */
const UNASKED = `
  SELECT id FROM channels c WHERE elsewhere = 1 AND asked < ?
    AND NOT EXISTS (SELECT 1 FROM lineups WHERE instr(contents, '"' || c.id || '"'))`;

/** The feeds' part of the store on an open SQLite connection. */
export const feedStore = (database: Database, write: <T>(work: () => T) => Promise<T>): FeedStore => {
  const one = (row: Row | undefined) => (row ? feedOf(row) : null);
  return {
    putFeed: (feed) => write(() => writeFeed(database, feed)),
    feed: async (channelId) => one(database.sql('SELECT * FROM feeds WHERE channel = ?').get(channelId)),
    feedAt: async (url) => one(database.sql('SELECT * FROM feeds WHERE url = ?').get(url)),
    // Most looks find nothing, and only a find is worth the lock.
    takeFeed: async (now, until, channelId) =>
      findFeed(database, now, channelId) ? write(() => takeFeed(database, now, until, channelId)) : null,
    numberItems: (channelId, items, now) => write(() => items.map((item) => numberItem(database, channelId, item, now))),
    addElsewhere: (channel, most, now) => write(() => addElsewhere(database, channel, most, now)),
    elsewhere: async () => elsewhereIds(database),
    adopt: (channelId) => write(() => adopt(database, channelId)),
    noteAsked: async (channelIds, now) => {
      const which = [now - DAY, JSON.stringify(channelIds)];
      // Most asking is not the day's first, and only that is worth the lock.
      if (database.sql(`SELECT 1 FROM channels WHERE ${ASKED_ANEW}`).get(...which) === undefined) return;
      await write(() => void database.sql(`UPDATE channels SET asked = ? WHERE ${ASKED_ANEW}`).run(now, ...which));
    },
    unasked: async (before) => idsOf(database.sql(UNASKED).all(before)),
  };
};
