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

/** The columns of a place. */
export const PLACE = 'id, channel, date, message';
const LOWEST = Number.MIN_SAFE_INTEGER;
const HIGHEST = Number.MAX_SAFE_INTEGER;
const END_OF_TIME = 2 ** 33 - 1;

/** Reads a query's bounds: of dates, both ends included, and of places, which are left out. */
export const boundsOf = ({ before, after, from, to }: PostsQuery): Bounds => ({
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

/** Reads a place. */
export const placeOf = (row: Row): Place => ({
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
 * Pages over channels one by one, for an engine that answers at once: each gives at most `limit` places from its index, and once the page is full a channel is asked only for
 * what would still be on it, so that fifty channels cost little more than one.
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

/** Posts of one step: a little more than the page, then ever more. */
const MORE_THAN_PAGE = 10;
const LONGER = 4;
const LONGEST_STEP = 2000;

/** Reads so many rows between two row ids, in the order of dates. */
type Read = (low: number, high: number, step: number) => Work<readonly Row[]>;

/** Takes rows in the order of dates: enough for a page, with all of its last second. Null where `most` were read and it is not full. */
export function* inOrder(
  read: Read,
  takes: (row: Row) => Work<boolean> | boolean,
  query: PostsQuery,
  most: number,
): Work<Place[] | null> {
  const bounds = boundsOf(query);
  let [low, high, passed] = [firstKey(bounds.from), Math.min(LAST_KEY, firstKey(bounds.to + 1) - 1), 0];
  const page: Place[] = [];
  for (let step = query.limit + MORE_THAN_PAGE; passed < most; step = Math.min(step * LONGER, LONGEST_STEP, most - passed)) {
    const rows = yield* read(low, high, step);
    for (const row of rows) {
      const place = placeOf(row);
      if (page.length >= query.limit && place.date !== page.at(-1)?.date) return page;
      // The bound's own second may hold places on its wrong side.
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

/** From so many channels on the newest posts of all are likely to be theirs; of fewer each is asked for its own. */
export const MANY = 300;
/** So many posts of all are read for a page of many channels before each channel is asked after all. */
const MOST_PASSED = 1000;

/** Pages over several channels: over many by the dates of all posts, whose order row ids have, as ten thousand lookups take longer. */
export function* pageOfMany(dialect: Dialect, channels: readonly string[], query: PostsQuery): Work<Place[]> {
  const asked = new Set(channels);
  const page = asked.size < MANY ? null : yield* pageOfNewest((channel) => asked.has(channel), query);
  return page ?? (yield* dialect.pageOfChannels(channels, query));
}

/** Pages over channels by the dates of all posts; null where these are too rare among them. */
export function* pageOfNewest(isAsked: (channel: string) => boolean, query: PostsQuery): Work<Place[] | null> {
  const order = query.after ? 'ASC' : 'DESC';
  const sql = `SELECT ${PLACE}, head, media FROM messages
    WHERE id BETWEEN CAST(? AS BIGINT) AND CAST(? AS BIGINT) ORDER BY id ${order} LIMIT ?`;
  const takes = (row: Row) => row.head === 1 && (query.media !== true || row.media === 1) && isAsked(text(row, 'channel'));
  const page = yield* inOrder((low, high, step) => all(sql, low, high, step), takes, query, MOST_PASSED);
  return page && inPlaces(page, query);
}

/** The page of what was found, newest first. */
export const inPlaces = (found: readonly Place[], query: PostsQuery): Place[] => {
  const towardsOld = query.after ? 1 : -1;
  const cut = found.toSorted((one, other) => towardsOld * byPlace(one, other)).slice(0, query.limit);
  return query.after ? cut.reverse() : cut;
};
