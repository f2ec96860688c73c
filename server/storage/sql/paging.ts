// Keyset pagination: pages of posts by position (date, channel, message), over one channel or many.

import type { Position, PostsQuery } from '../../domain/model.ts';
import type { Dialect, Place } from './dialect.ts';
import { firstKey, LAST_KEY } from './post-index.ts';
import { all, integer, type Row, text, type Work } from './statements.ts';

interface Bounds {
  readonly above: Position | undefined;
  readonly below: Position | undefined;
  readonly from: number;
  readonly to: number;
}

/** The columns of a position. */
export const PLACE = 'id, channel, date, message';
const LOWEST = Number.MIN_SAFE_INTEGER;
const HIGHEST = Number.MAX_SAFE_INTEGER;
const END_OF_TIME = 2 ** 33 - 1;

/** Returns the bounds of a query: dates (both ends included) and positions (excluded). */
export const boundsOf = ({ before, after, from, to }: PostsQuery): Bounds => ({
  above: after,
  below: before,
  from: Math.max(from ?? 0, after?.date ?? 0),
  to: Math.min(to ?? END_OF_TIME, before?.date ?? END_OF_TIME),
});

/** Compares positions, oldest first: by date, then channel, then message. */
const byPlace = (one: Position, other: Position): number =>
  one.date - other.date || (one.channelId < other.channelId ? -1 : one.channelId > other.channelId ? 1 : one.id - other.id);

const inside = (place: Position, { above, below, from, to }: Bounds): boolean =>
  place.date >= from && place.date <= to && (!above || byPlace(place, above) > 0) && (!below || byPlace(place, below) < 0);

/** Parses a position. */
export const placeOf = (row: Row): Place => ({
  key: integer(row, 'id'),
  channelId: text(row, 'channel'),
  date: integer(row, 'date'),
  id: integer(row, 'message'),
});

/**
 * Returns the message id at which a channel's messages are cut, in the second of the bound. Within one second, positions are
 * ordered by channel.
 */
const edge = (bound: Position | undefined, second: number, channel: string, open: number): number => {
  if (!bound || bound.date !== second) return open;
  if (channel === bound.channelId) return bound.id;
  return channel < bound.channelId ? HIGHEST : LOWEST;
};

function* channelRows(columns: string, channel: string, bounds: Bounds, query: PostsQuery): Work<readonly Row[]> {
  const order = query.after ? 'ASC' : 'DESC';
  return yield* all(
    `SELECT ${columns} FROM messages
       WHERE channel = ? AND head = 1 ${query.media ? 'AND media = 1' : ''} AND date BETWEEN ? AND ?
         AND (date < ? OR message < ?) AND (date > ? OR message > ?)
       ORDER BY date ${order}, message ${order} LIMIT ?`,
    ...[channel, bounds.from, bounds.to],
    ...[
      bounds.to,
      edge(bounds.below, bounds.to, channel, HIGHEST),
      bounds.from,
      edge(bounds.above, bounds.from, channel, LOWEST),
      query.limit,
    ],
  );
}

/** Reads the rows of one channel's page, newest first. */
export function* pageOfChannel(columns: string, channel: string, query: PostsQuery): Work<readonly Row[]> {
  const rows = yield* channelRows(columns, channel, boundsOf(query), query);
  return query.after ? rows.toReversed() : rows;
}

/**
 * Reads a page over channels one by one, for an engine without a network round trip. Each channel returns at most `limit`
 * positions from its index. Once the page is full, a channel is only queried for posts that would still be on it, so that fifty
 * channels cost little more than one.
 */
export function* pageByNarrowing(channels: readonly string[], query: PostsQuery): Work<Place[]> {
  const towardsOld = query.after ? 1 : -1;
  let bounds = boundsOf(query);
  let page: Place[] = [];
  for (const channel of channels) {
    const found = (yield* channelRows(PLACE, channel, bounds, query)).map(placeOf);
    if (found.length === 0) continue;
    page = [...page, ...found].sort((one, other) => towardsOld * byPlace(one, other)).slice(0, query.limit);
    const last = page.length === query.limit ? page.at(-1) : undefined;
    if (last)
      bounds = query.after
        ? { ...bounds, to: Math.min(bounds.to, last.date) }
        : { ...bounds, from: Math.max(bounds.from, last.date) };
  }
  return query.after ? page.reverse() : page;
}

/** Posts per step: a few more than a page at first, then more with each step. */
const MORE_THAN_PAGE = 10;
const LONGER = 4;
const MAX_STEP_ROWS = 2000;

/** Reads a number of rows between two row ids, in the order of dates. */
type Read = (low: number, high: number, step: number) => Work<readonly Row[]>;

/**
 * Collects rows in the order of dates: enough for a page, and all rows of its last second. Returns null if `most` rows were read
 * and the page is not full.
 */
export function* inOrder(
  read: Read,
  takes: (row: Row) => Work<boolean> | boolean,
  query: PostsQuery,
  most: number,
): Work<Place[] | null> {
  const bounds = boundsOf(query);
  let [low, high, passed] = [firstKey(bounds.from), Math.min(LAST_KEY, firstKey(bounds.to + 1) - 1), 0];
  const page: Place[] = [];
  for (let step = query.limit + MORE_THAN_PAGE; passed < most; step = Math.min(step * LONGER, MAX_STEP_ROWS, most - passed)) {
    const rows = yield* read(low, high, step);
    for (const row of rows) {
      const place = placeOf(row);
      if (page.length >= query.limit && place.date !== page.at(-1)?.date) return page;
      // The second of the bound itself may contain positions on the wrong side.
      if (!inside(place, bounds)) continue;
      const taken = takes(row);
      if (taken === true || (taken !== false && (yield* taken))) page.push(place);
    }
    const last = rows.at(-1);
    if (!last || rows.length < step) return page;
    if (query.after) low = integer(last, 'id') + 1;
    else high = integer(last, 'id') - 1;
    passed += rows.length;
  }
  return null;
}

/**
 * From this number of channels on, the newest posts of all channels are likely to be theirs. With fewer channels, each is
 * queried.
 */
export const MANY_CHANNELS = 300;
/** Maximum number of posts of all channels that are read for a page of many channels. After that, each channel is queried. */
const MAX_SCANNED_POSTS = 1000;

/**
 * Reads a page over several channels. With many channels, it walks the posts of all channels by date, which is the order of row
 * ids: ten thousand lookups take longer.
 */
export function* pageOfMany(dialect: Dialect, channels: readonly string[], query: PostsQuery): Work<Place[]> {
  const asked = new Set(channels);
  const page = asked.size < MANY_CHANNELS ? null : yield* pageOfNewest((channel) => asked.has(channel), query);
  return page ?? (yield* dialect.pageOfChannels(channels, query));
}

/** Reads a page over channels by walking the posts of all channels by date. Returns null if too few of them match. */
export function* pageOfNewest(isAsked: (channel: string) => boolean, query: PostsQuery): Work<Place[] | null> {
  const order = query.after ? 'ASC' : 'DESC';
  const sql = `SELECT ${PLACE}, head, media FROM messages
    WHERE id BETWEEN CAST(? AS BIGINT) AND CAST(? AS BIGINT) ORDER BY id ${order} LIMIT ?`;
  const takes = (row: Row) => row.head === 1 && (query.media !== true || row.media === 1) && isAsked(text(row, 'channel'));
  const page = yield* inOrder((low, high, step) => all(sql, low, high, step), takes, query, MAX_SCANNED_POSTS);
  return page && inPlaces(page, query);
}

/** Sorts found positions and cuts them to a page, newest first. */
export const inPlaces = (found: readonly Place[], query: PostsQuery): Place[] => {
  const towardsOld = query.after ? 1 : -1;
  const cut = found.toSorted((one, other) => towardsOld * byPlace(one, other)).slice(0, query.limit);
  return query.after ? cut.reverse() : cut;
};
