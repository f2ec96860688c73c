// Channels: SQL that reads and writes channels, their usernames, pins and pictures, and marks running imports.

import type { Channel } from '../../../contract/channel.ts';
import type { AccessScope, ChannelChange, DirectoryQuery } from '../../domain/model.ts';
import {
  addPins,
  isSamePins,
  MAX_PINNED_POSTS,
  type Pinning,
  type PinState,
  parsePins,
  reportNewestPin,
  serializePins,
} from '../../domain/pins.ts';
import type { DirectoryPage, ImportStore } from '../ports/store.ts';
import { mayRead } from './access.ts';
import { foldName, foldNames, putUsername } from './channel-names.ts';
import type { Engine } from './engine.ts';
import { appendEvent } from './events.ts';
import { putSetting } from './settings.ts';
import {
  execute,
  executeAndCount,
  executeEach,
  integer,
  integerOrNull,
  jsonListOf,
  type Operation,
  optionalField,
  queryAll,
  queryFirst,
  type Row,
  text,
  textOrNull,
} from './statements.ts';

const SOURCES = { bot: 'bot', export: 'export', feed: 'feed' } as const;
const STATES = { live: 'live', paused: 'paused', archived: 'archived' } as const;

const parseEnum = <T>(values: Readonly<Record<string, T>>, name: string): T => {
  const value = values[name];
  if (value === undefined) throw new Error(`The store contains an unknown value: ${name}`);
  return value;
};

/**
 * Pinned posts of a channel, as a JSON list. Messages that are missing, hidden, or deleted at their source are left
 * out. The cross join makes SQLite look up one message per pin. Without it, SQLite reads all messages of the channel
 * for each pin.
 */
const PINNED_POST_IDS = `CASE WHEN c.pins = '{}' THEN NULL ELSE (
  SELECT CAST(json_group_array(coalesce(h.message, p.message)) AS TEXT) FROM json_each(c.pins) AS pin
  CROSS JOIN messages p
  LEFT JOIN messages h ON h.channel = p.channel AND h.album = p.album AND h.head = 1
  WHERE p.channel = c.id AND p.message = CAST(pin.key AS BIGINT) AND p.hidden IS NULL AND p.gone IS NULL
) END`;

/** Returns the pinned posts, newest first. An album counts once. */
const pinnedOf = ({ pinned_posts: list }: Row): Pick<Channel, 'pinned' | 'pinnedPosts'> => {
  const ids: readonly number[] = typeof list === 'string' ? JSON.parse(list) : [];
  const pinnedPosts = [...new Set(ids)].sort((one, other) => other - one).slice(0, MAX_PINNED_POSTS);
  const [pinned] = pinnedPosts;
  return pinned === undefined ? {} : { pinned, pinnedPosts };
};

/** Returns the newest post, if the row has these columns and the channel has a post. */
const latestOf = ({ latest_post: id, latest_date: date }: Row): Channel['latest'] | null =>
  typeof id === 'number' && typeof date === 'number' ? { id, date } : null;

const newestPostColumn = (column: 'message' | 'date'): string =>
  `(SELECT ${column} FROM messages WHERE channel = c.id AND head = 1 ORDER BY date DESC, message DESC LIMIT 1)`;

/**
 * Columns that depend on a channel's posts. One statement reads them for all channels: one more statement per channel
 * takes twice as long, or four times as long on PostgreSQL.
 */
const POST_COLUMNS = `${PINNED_POST_IDS} AS pinned_posts, ${newestPostColumn('message')} AS latest_post, ${newestPostColumn('date')} AS latest_date`;

const channelOf = (row: Row): Channel => ({
  id: text(row, 'id'),
  title: text(row, 'title'),
  ...optionalField('username', textOrNull(row, 'username')),
  ...optionalField('about', textOrNull(row, 'about')),
  ...optionalField('picture', row.picture === null ? null : JSON.parse(text(row, 'picture'))),
  ...optionalField('members', integerOrNull(row, 'members')),
  source: parseEnum(SOURCES, text(row, 'source')),
  state: parseEnum(STATES, text(row, 'state')),
  private: row.private === 1,
  demo: row.demo === 1,
  ...optionalField('since', integerOrNull(row, 'since')),
  ...optionalField('latest', latestOf(row)),
  ...pinnedOf(row),
  ...optionalField('elsewhere', row.elsewhere === 1 || null),
});

/**
 * Lists the channels that the caller may see, in the order in which they were added (the default line-up). The channels
 * of `additionalIds` that readers added come after them.
 */
export function* readChannels(accessScope: AccessScope, additionalIds: readonly string[] = []): Operation<Channel[]> {
  const rows = yield* queryAll(
    `SELECT c.*, ${POST_COLUMNS} FROM channels c
     WHERE c.elsewhere = 0 OR c.id IN (SELECT value FROM json_each(?)) ORDER BY c.elsewhere, c.rowid`,
    jsonListOf(additionalIds),
  );
  return rows.filter((row) => mayRead(row, accessScope)).map(channelOf);
}

const SELECT_CHANNEL = `SELECT c.*, ${POST_COLUMNS} FROM channels c WHERE c.id`;
const IN_LIST = 'IN (SELECT value FROM json_each(?))';

const normalizeUsername = (name: string): string => name.replace(/^@/, '').toLowerCase();

/** Finds a channel by id, or else by a current or previous username. */
export function* readChannel(idOrUsername: string, accessScope: AccessScope): Operation<Channel | null> {
  const row =
    (yield* queryFirst(`${SELECT_CHANNEL} = ?`, idOrUsername)) ??
    (yield* queryFirst(`${SELECT_CHANNEL} = (SELECT channel FROM usernames WHERE name = ?)`, normalizeUsername(idOrUsername)));
  return row && mayRead(row, accessScope) ? channelOf(row) : null;
}

/**
 * Finds channels as `readChannel` does, in the given order and without duplicates. It takes one statement if all names
 * are ids, and otherwise three.
 */
export function* readChannelsNamed(names: readonly string[], accessScope: AccessScope): Operation<Channel[]> {
  const rowById = new Map<string, Row>();
  function* addRows(ids: readonly string[]): Operation<void> {
    for (const row of yield* queryAll(`${SELECT_CHANNEL} ${IN_LIST}`, jsonListOf(ids))) rowById.set(text(row, 'id'), row);
  }
  yield* addRows(names);
  const usernames = names.filter((name) => !rowById.has(name)).map(normalizeUsername);
  const aliases =
    usernames.length === 0
      ? []
      : yield* queryAll(`SELECT name, channel FROM usernames WHERE name ${IN_LIST}`, jsonListOf(usernames));
  const idByUsername = new Map(aliases.map((row) => [text(row, 'name'), text(row, 'channel')]));
  if (idByUsername.size > 0) yield* addRows([...idByUsername.values()]);
  const found = new Set(names.map((name) => rowById.get(name) ?? rowById.get(idByUsername.get(normalizeUsername(name)) ?? '')));
  return [...found].flatMap((row) => (row && mayRead(row, accessScope) ? channelOf(row) : []));
}

/** Returns the ids of the channels of the demo. */
export function* readDemoChannelIds(): Operation<string[]> {
  return (yield* queryAll('SELECT id FROM channels WHERE demo = 1 ORDER BY rowid')).map((row) => text(row, 'id'));
}

/** Reads a page of the directory: one channel more than `limit` shows that another page follows. */
export function* readChannelPage(
  { after = 0, match = '', limit }: DirectoryQuery,
  accessScope: AccessScope,
): Operation<DirectoryPage> {
  const { privateChannels } = accessScope;
  // No stored name contains these characters, and PostgreSQL would reject them.
  if (/\0|\p{Surrogate}/u.test(match)) return { channels: [], next: null };
  const folded = foldName(match).trim();
  const [isAllowed, allowedIds] =
    privateChannels === 'all' ? ['', []] : [`AND (c.private = 0 OR c.id ${IN_LIST})`, [jsonListOf(privateChannels)]];
  const rows = yield* queryAll(
    `SELECT c.*, c.rowid AS position, ${POST_COLUMNS} FROM channels c
     WHERE c.elsewhere = 0 AND c.rowid > ? AND c.withdrawn = 0 ${isAllowed} ${folded === '' ? '' : 'AND instr(c.folded, ?) > 0'}
     ORDER BY c.rowid LIMIT ?`,
    ...[after, ...allowedIds, ...(folded === '' ? [] : [folded]), limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    channels: page.filter((row) => mayRead(row, accessScope)).map(channelOf),
    next: rows.length > limit && last !== undefined ? integer(last, 'position') : null,
  };
}

/** Returns the new value of a field. `undefined` keeps the existing value, and null removes it. */
const valueOrCurrent = <T>(value: T | null | undefined, current: T | null | undefined): T | null =>
  value === undefined ? (current ?? null) : value;

/** Stores which file is a channel's picture. */
export function* recordPictureUse(id: string, src: string | undefined): Operation<void> {
  yield* execute('DELETE FROM media_uses WHERE channel = ? AND message = 0', id);
  if (src)
    yield* execute(
      'INSERT INTO media_uses (key, channel, message) VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
      ...[src.replace(/^\/media\//, ''), id],
    );
}

const FIELDS = 'title, username, about, picture, members, source, state, private, demo, since, folded';

/**
 * Inserts or updates a channel. An absent field keeps its value, and null removes it. `isSoftDeleted` applies only to
 * an insert.
 */
export function* writeChannel(channel: ChannelChange, isSoftDeleted = false): Operation<void> {
  const { id, title, username, source, state } = channel;
  const row = yield* queryFirst('SELECT * FROM channels WHERE id = ?', id);
  const current = row && channelOf(row);
  const picture = valueOrCurrent(channel.picture, current?.picture);
  const storedUsername = valueOrCurrent(username, current?.username);
  const values = [
    ...[title, storedUsername, valueOrCurrent(channel.about, current?.about)],
    ...[picture && JSON.stringify(picture), valueOrCurrent(channel.members, current?.members), source, state],
    ...[channel.private ? 1 : 0, channel.demo ? 1 : 0, valueOrCurrent(channel.since, current?.since)],
    foldNames(title, storedUsername),
  ];
  if (row && FIELDS.split(', ').every((field, index) => row[field] === values[index])) return;
  yield* execute(
    `INSERT INTO channels (id, ${FIELDS}, elsewhere, withdrawn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET (${FIELDS}) = (
       excluded.title, excluded.username, excluded.about, excluded.picture, excluded.members, excluded.source, excluded.state,
       excluded.private, excluded.demo, excluded.since, excluded.folded
     )`,
    ...[id, ...values, channel.elsewhere === true ? 1 : 0, isSoftDeleted ? 1 : 0],
  );
  if (username) yield* putUsername(id, username);
  yield* recordPictureUse(id, picture?.src);
  yield* appendEvent('channel', id, null);
}

/** Hides a channel from all responses, or shows it again. */
export function* writeSoftDeleted(id: string, isSoftDeleted: boolean): Operation<void> {
  yield* execute('UPDATE channels SET withdrawn = ? WHERE id = ?', isSoftDeleted ? 1 : 0, id);
  yield* appendEvent(isSoftDeleted ? 'hidden' : 'channel', id, null);
}

function* changePins(channelId: string, change: (current: PinState) => PinState): Operation<void> {
  const row = yield* queryFirst('SELECT pins, pinned, pinned_at FROM channels WHERE id = ?', channelId);
  if (!row) return;
  const current: PinState = {
    pins: parsePins(text(row, 'pins')),
    reported: { newest: integerOrNull(row, 'pinned'), at: integer(row, 'pinned_at') },
  };
  const { pins, reported } = change(current);
  const values = [serializePins(pins), reported.newest, reported.at];
  if (values.every((value, index) => value === [row.pins, row.pinned, row.pinned_at][index])) return;
  yield* execute('UPDATE channels SET pins = ?, pinned = ?, pinned_at = ? WHERE id = ?', ...values, channelId);
  if (!isSamePins(pins, current.pins)) yield* appendEvent('channel', channelId, null);
}

/** Stores the newest pinned message, null for none. */
export const writeNewestPin = (channelId: string, newest: number | null, at: number): Operation<void> =>
  changePins(channelId, (current) => reportNewestPin(current, { newest, at }));

/** Stores that messages were pinned. */
export const writePins = (channelId: string, pins: readonly Pinning[]): Operation<void> =>
  changePins(channelId, (current) => addPins(current, pins));

/**
 * Deletes at most `limit` messages of a channel. When no message is left, deletes the channel too and returns false.
 */
export function* deleteMessageBatch(id: string, limit: number): Operation<boolean> {
  const rows = yield* queryAll('SELECT id FROM messages WHERE channel = ? LIMIT ?', id, limit);
  const rowIds = rows.map((row) => integer(row, 'id'));
  yield* executeEach(
    rowIds.flatMap((rowId) => [
      { text: 'DELETE FROM words WHERE rowid = ?', values: [rowId] },
      { text: 'DELETE FROM messages WHERE id = ?', values: [rowId] },
    ]),
  );
  if (rowIds.length > 0) return true;
  yield* execute('DELETE FROM reactions WHERE channel = ?', id);
  if ((yield* executeAndCount('DELETE FROM channels WHERE id = ?', id)) > 0) yield* appendEvent('hidden', id, null);
  return false;
}

const importSettingOf = (channelId: string): string => `import ${channelId}`;

function* writeImportBegun(channel: ChannelChange): Operation<void> {
  yield* putSetting(importSettingOf(channel.id), 'writing');
  // A demo channel is created before the server accepts requests, and the removal of demo channels searches visible
  // channels.
  yield* writeChannel(channel, !channel.demo);
}

/**
 * Selects a row if a channel is soft-deleted and should become visible. A channel that is being removed stays hidden.
 */
const IS_SOFT_DELETED = `
  SELECT 1 FROM channels c WHERE c.id = ? AND c.withdrawn = 1
  AND NOT EXISTS (SELECT 1 FROM connections n WHERE n.channel = c.id AND n.ending IS NOT NULL)`;

function* writeImportComplete(channelId: string): Operation<void> {
  yield* putSetting(importSettingOf(channelId), 'complete');
  if (yield* queryFirst(IS_SOFT_DELETED, channelId)) yield* writeSoftDeleted(channelId, false);
  yield* appendEvent('refresh', channelId, null);
}

const INCOMPLETE_IMPORTS = `
  SELECT c.id FROM channels c JOIN facts f ON f.name = 'import ' || c.id
  WHERE f.value = 'writing' ORDER BY c.id`;

/** Import methods of the store. */
export const createImportStore = ({ read, write }: Engine): ImportStore => ({
  beginImport: (channel) => write(writeImportBegun(channel)),
  completeImport: (channelId) => write(writeImportComplete(channelId)),
  incompleteImports: async () => (await read(queryAll(INCOMPLETE_IMPORTS))).map((row) => text(row, 'id')),
});
