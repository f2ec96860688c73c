import { channelWord, standsTogether, wantedBy } from '../found-by.ts';
import type { Position, PostsQuery } from '../store.ts';
import { COMPLETIONS, type Wanted } from '../words.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { firstKey, LAST_KEY } from './message-key.ts';
import { bodyOf, rowsOfPost } from './settle.ts';

/** A post's place and its row. */
export interface Place extends Position {
  readonly key: number;
}

interface Bounds {
  readonly above: Position | undefined;
  readonly below: Position | undefined;
  readonly from: number;
  readonly to: number;
}

const PLACE = 'id, channel, date, message';
const LOWEST = Number.MIN_SAFE_INTEGER;
const HIGHEST = Number.MAX_SAFE_INTEGER;
const END_OF_TIME = 2 ** 33 - 1;

const boundsOf = ({ before, after, from, to }: PostsQuery): Bounds => ({
  above: after,
  below: before,
  from: Math.max(from ?? 0, after?.date ?? 0),
  to: Math.min(to ?? END_OF_TIME, before?.date ?? END_OF_TIME),
});

/** Orders places oldest first: by date, then channel, then message. */
const byPlace = (one: Position, other: Position): number =>
  one.date - other.date || (one.channelId < other.channelId ? -1 : one.channelId > other.channelId ? 1 : one.id - other.id);

const inside = (place: Position, { above, below, from, to }: Bounds): boolean =>
  place.date >= from && place.date <= to && (!above || byPlace(place, above) > 0) && (!below || byPlace(place, below) < 0);

const placeOf = (row: Row): Place => ({
  key: integer(row, 'id'),
  channelId: text(row, 'channel'),
  date: integer(row, 'date'),
  id: integer(row, 'message'),
});

/** Within a bound's own second channels come in order: gives the message id that parts a channel's messages there. */
const edge = (bound: Position | undefined, second: number, channel: string, open: number): number => {
  if (!bound || bound.date !== second) return open;
  if (channel === bound.channelId) return bound.id;
  return channel < bound.channelId ? HIGHEST : LOWEST;
};

const channelRows = (database: Database, columns: string, channel: string, bounds: Bounds, query: PostsQuery): Row[] => {
  const order = query.after ? 'ASC' : 'DESC';
  return database
    .sql(
      `SELECT ${columns} FROM messages
       WHERE channel = ? AND head = 1 ${query.media ? 'AND media = 1' : ''} AND date BETWEEN ? AND ?
         AND (date < ? OR message < ?) AND (date > ? OR message > ?)
       ORDER BY date ${order}, message ${order} LIMIT ?`,
    )
    .all(
      ...[channel, bounds.from, bounds.to],
      ...[
        bounds.to,
        edge(bounds.below, bounds.to, channel, HIGHEST),
        bounds.from,
        edge(bounds.above, bounds.from, channel, LOWEST),
        query.limit,
      ],
    );
};

/** Reads the rows of one channel's page, newest first. */
export const pageOfChannel = (database: Database, columns: string, channel: string, query: PostsQuery): Row[] => {
  const rows = channelRows(database, columns, channel, boundsOf(query), query);
  return query.after ? rows.reverse() : rows;
};

/**
 * Pages over channels: each gives at most `limit` places from its index, and once the page is full a channel is asked only for
 * what would still be on it, so that fifty channels cost little more than one.
 */
export const pageOfChannels = (database: Database, channels: readonly string[], query: PostsQuery): Place[] => {
  const towardsOld = query.after ? 1 : -1;
  let bounds = boundsOf(query);
  let page: Place[] = [];
  for (const channel of channels) {
    const found = channelRows(database, PLACE, channel, bounds, query).map(placeOf);
    if (found.length === 0) continue;
    page = [...page, ...found].sort((one, other) => towardsOld * byPlace(one, other)).slice(0, query.limit);
    const last = page.length === query.limit ? page.at(-1) : undefined;
    if (last)
      bounds = query.after
        ? { ...bounds, to: Math.min(bounds.to, last.date) }
        : { ...bounds, from: Math.max(bounds.from, last.date) };
  }
  return query.after ? page.reverse() : page;
};

const END_OF_TEXT = '\u{10ffff}';

/** A word and, where it may be a part of others, the words with the shortest spellings that it begins. */
const alternatives = (database: Database, { word, part }: Wanted): string[] => {
  if (part === undefined) return [word];
  const rows = database
    .sql('SELECT word FROM spellings WHERE part >= ? AND part < ? ORDER BY length(part), part LIMIT ?')
    .all(part, `${part}${END_OF_TEXT}`, COMPLETIONS);
  return [word, ...rows.map((row) => text(row, 'word'))];
};

const anyOf = (words: readonly string[]): string =>
  `(${[...new Set(words)].map((word) => `"${word.replaceAll('"', '')}"`).join(' OR ')})`;

/** Names the channels in the index's language: those to take or, where that is shorter, those to leave out. */
const scoped = (found: string, channels: readonly string[], others: readonly string[]): string => {
  if (others.length === 0) return found;
  return others.length < channels.length
    ? `(${found}) NOT ${anyOf(others.map(channelWord))}`
    : `${anyOf(channels.map(channelWord))} AND ${found}`;
};

/**
 * Walks the search index by date; whoever has enough stops. A driver binds large row ids as REAL: the index would overlook such
 * a bound and read everything.
 */
const walk = (database: Database, expression: string, order: 'ASC' | 'DESC', { from, to }: Bounds): Iterable<Row> =>
  database
    .sql(
      `SELECT m.id, m.channel, m.date, m.message, m.album FROM words w CROSS JOIN messages m ON m.id = w.rowid
       WHERE w.words MATCH ? AND w.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY w.rowid ${order}`,
    )
    .iterate(expression, firstKey(from), Math.min(LAST_KEY, firstKey(to + 1) - 1));

/**
 * So many posts are read for a page to see whether their characters stand together; each takes some 50 µs, and what comes after
 * them is believed.
 */
const MOST_READ = 1000;

/** Sees in its text whether a post that was found by pairs of characters has them together. */
const reader = (database: Database, wanted: readonly Wanted[]): ((row: Row) => boolean) => {
  const runs = wanted.filter(({ run }) => run !== undefined);
  let read = 0;
  return (row) => {
    if (runs.length === 0 || read++ >= MOST_READ) return true;
    const album = row.album === null ? null : text(row, 'album');
    const bodies = rowsOfPost(database, text(row, 'channel'), integer(row, 'message'), album).map(bodyOf);
    return standsTogether(bodies, runs);
  };
};

/**
 * Pages over what matches in these channels, `others` being all the rest: the index is walked by date, and the page's last
 * second is read whole to order it within.
 */
export const pageOfMatches = (
  database: Database,
  channels: readonly string[],
  others: readonly string[],
  query: PostsQuery,
): Place[] => {
  const wanted = wantedBy(query);
  if (wanted === null || channels.length === 0) return [];
  const groups = [...new Set(wanted.map((group) => anyOf(group.flatMap((each) => alternatives(database, each)))))];
  const bounds = boundsOf(query);
  const isFound = reader(database, wanted.flat());
  const page: Place[] = [];
  for (const row of walk(database, scoped(groups.join(' AND '), channels, others), query.after ? 'ASC' : 'DESC', bounds)) {
    const place = placeOf(row);
    if (page.length >= query.limit && place.date !== page.at(-1)?.date) break;
    // The bound's own second may hold places on its wrong side.
    if (inside(place, bounds) && isFound(row)) page.push(place);
  }
  const towardsOld = query.after ? 1 : -1;
  const cut = page.sort((one, other) => towardsOld * byPlace(one, other)).slice(0, query.limit);
  return query.after ? cut.reverse() : cut;
};
