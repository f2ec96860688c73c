// Keyset pagination: pages of posts by position (date, channel, message), over one channel or many.

import type { PostPosition, PostsQuery } from '../../domain/model.ts';
import type { Dialect, PostRowPosition } from './dialect.ts';
import { firstRowId, MAX_ROW_ID } from './post-index.ts';
import { integer, type Operation, queryAll, type Row, text } from './statements.ts';

/** Bounds of a page: dates in unix seconds, both included, and positions, both excluded. */
interface Bounds {
  readonly newerThan: PostPosition | undefined;
  readonly olderThan: PostPosition | undefined;
  readonly from: number;
  readonly to: number;
}

/** The columns of a position. */
export const POSITION_COLUMNS = 'id, channel, date, message';
/** Bounds below and above every message id. */
const BELOW_ALL_IDS = Number.MIN_SAFE_INTEGER;
const ABOVE_ALL_IDS = Number.MAX_SAFE_INTEGER;
/**
 * Latest date that a page can contain, in unix seconds (year 2242). Row ids of later dates would not be safe integers.
 */
const MAX_DATE_SECONDS = 2 ** 33 - 1;

/** Returns the bounds of a query. */
export const boundsOf = ({ before, after, from, to }: PostsQuery): Bounds => ({
  newerThan: after,
  olderThan: before,
  from: Math.max(from ?? 0, after?.date ?? 0),
  to: Math.min(to ?? MAX_DATE_SECONDS, before?.date ?? MAX_DATE_SECONDS),
});

/** Compares positions, oldest first: by date, then channel, then message. */
const comparePositions = (one: PostPosition, other: PostPosition): number => {
  if (one.date !== other.date) return one.date - other.date;
  if (one.channelId !== other.channelId) return one.channelId < other.channelId ? -1 : 1;
  return one.id - other.id;
};

const isWithinBounds = (position: PostPosition, { newerThan, olderThan, from, to }: Bounds): boolean =>
  position.date >= from &&
  position.date <= to &&
  (!newerThan || comparePositions(position, newerThan) > 0) &&
  (!olderThan || comparePositions(position, olderThan) < 0);

/** Parses a row with the columns of a position. */
export const postRowPositionOf = (row: Row): PostRowPosition => ({
  rowId: integer(row, 'id'),
  channelId: text(row, 'channel'),
  date: integer(row, 'date'),
  id: integer(row, 'message'),
});

/**
 * Returns the message id at which a channel's messages are cut, in the second of the bound. Within one second,
 * positions are ordered by channel.
 */
const messageIdBound = (bound: PostPosition | undefined, second: number, channel: string, unbounded: number): number => {
  if (!bound || bound.date !== second) return unbounded;
  if (channel === bound.channelId) return bound.id;
  return channel < bound.channelId ? ABOVE_ALL_IDS : BELOW_ALL_IDS;
};

function* readPostRowsOfChannel(columns: string, channel: string, bounds: Bounds, query: PostsQuery): Operation<readonly Row[]> {
  const order = query.after ? 'ASC' : 'DESC';
  return yield* queryAll(
    `SELECT ${columns} FROM messages
       WHERE channel = ? AND head = 1 ${query.media ? 'AND media = 1' : ''} AND date BETWEEN ? AND ?
         AND (date < ? OR message < ?) AND (date > ? OR message > ?)
       ORDER BY date ${order}, message ${order} LIMIT ?`,
    ...[channel, bounds.from, bounds.to],
    ...[
      bounds.to,
      messageIdBound(bounds.olderThan, bounds.to, channel, ABOVE_ALL_IDS),
      bounds.from,
      messageIdBound(bounds.newerThan, bounds.from, channel, BELOW_ALL_IDS),
      query.limit,
    ],
  );
}

/** Reads the rows of one channel's page, newest first. */
export function* readPageOfChannel(columns: string, channel: string, query: PostsQuery): Operation<readonly Row[]> {
  const rows = yield* readPostRowsOfChannel(columns, channel, boundsOf(query), query);
  return query.after ? rows.toReversed() : rows;
}

/**
 * Reads a page over channels one by one, for an engine without a network round trip. Each channel returns at most
 * `limit` positions from its index. Once the page is full, a channel is only queried for posts that would still be on
 * it, so that fifty channels cost little more than one.
 */
export function* readPageByNarrowing(channels: readonly string[], query: PostsQuery): Operation<PostRowPosition[]> {
  const direction = query.after ? 1 : -1;
  let bounds = boundsOf(query);
  let page: PostRowPosition[] = [];
  for (const channel of channels) {
    const found = (yield* readPostRowsOfChannel(POSITION_COLUMNS, channel, bounds, query)).map(postRowPositionOf);
    if (found.length === 0) continue;
    page = [...page, ...found].sort((one, other) => direction * comparePositions(one, other)).slice(0, query.limit);
    const last = page.length === query.limit ? page.at(-1) : undefined;
    if (last)
      bounds = query.after
        ? { ...bounds, to: Math.min(bounds.to, last.date) }
        : { ...bounds, from: Math.max(bounds.from, last.date) };
  }
  return query.after ? page.reverse() : page;
}

/** Posts per step: a few more than a page at first, then more with each step. */
const EXTRA_ROWS = 10;
const STEP_GROWTH = 4;
const MAX_STEP_ROWS = 2000;

/** Reads a number of rows between two row ids, in the order of dates. */
type ReadRows = (low: number, high: number, step: number) => Operation<readonly Row[]>;

/**
 * Collects rows in the order of dates: enough for a page, and all rows of its last second. Returns null if `maxRows`
 * rows were read and the page is not full.
 */
export function* scanByDate(
  readRows: ReadRows,
  accepts: (row: Row) => Operation<boolean> | boolean,
  query: PostsQuery,
  maxRows: number,
): Operation<PostRowPosition[] | null> {
  const bounds = boundsOf(query);
  let [low, high, scanned] = [firstRowId(bounds.from), Math.min(MAX_ROW_ID, firstRowId(bounds.to + 1) - 1), 0];
  const page: PostRowPosition[] = [];
  for (
    let step = query.limit + EXTRA_ROWS;
    scanned < maxRows;
    step = Math.min(step * STEP_GROWTH, MAX_STEP_ROWS, maxRows - scanned)
  ) {
    const rows = yield* readRows(low, high, step);
    for (const row of rows) {
      const position = postRowPositionOf(row);
      if (page.length >= query.limit && position.date !== page.at(-1)?.date) return page;
      // The second of the bound itself may contain positions on the wrong side.
      if (!isWithinBounds(position, bounds)) continue;
      const accepted = accepts(row);
      if (accepted === true || (accepted !== false && (yield* accepted))) page.push(position);
    }
    const last = rows.at(-1);
    if (!last || rows.length < step) return page;
    if (query.after) low = integer(last, 'id') + 1;
    else high = integer(last, 'id') - 1;
    scanned += rows.length;
  }
  return null;
}

/**
 * From this number of requested channels on, many of the newest stored posts are likely to belong to them, so a page is
 * found by a scan of the posts of all channels. With fewer channels, each is queried.
 */
export const MIN_CHANNELS_FOR_SCAN = 300;
/**
 * Maximum number of posts of all channels that are read for a page of many channels. After that, each channel is
 * queried.
 */
const MAX_SCANNED_POSTS = 1000;

/**
 * Reads a page over several channels. With many channels, it walks the posts of all channels by date, which is the
 * order of row ids: ten thousand lookups take longer.
 */
export function* readPageOfManyChannels(
  dialect: Dialect,
  channels: readonly string[],
  query: PostsQuery,
): Operation<PostRowPosition[]> {
  const requestedIds = new Set(channels);
  const page =
    requestedIds.size < MIN_CHANNELS_FOR_SCAN ? null : yield* readPageByScan((channel) => requestedIds.has(channel), query);
  return page ?? (yield* dialect.readPageOfChannels(channels, query));
}

/** Reads a page over channels by walking the posts of all channels by date. Returns null if too few of them match. */
export function* readPageByScan(
  isRequested: (channel: string) => boolean,
  query: PostsQuery,
): Operation<PostRowPosition[] | null> {
  const order = query.after ? 'ASC' : 'DESC';
  const sql = `SELECT ${POSITION_COLUMNS}, head, media FROM messages
    WHERE id BETWEEN CAST(? AS BIGINT) AND CAST(? AS BIGINT) ORDER BY id ${order} LIMIT ?`;
  const matches = (row: Row) => row.head === 1 && (query.media !== true || row.media === 1) && isRequested(text(row, 'channel'));
  const page = yield* scanByDate((low, high, step) => queryAll(sql, low, high, step), matches, query, MAX_SCANNED_POSTS);
  return page && sortPage(page, query);
}

/** Sorts found positions and cuts them to a page, newest first. */
export const sortPage = (found: readonly PostRowPosition[], query: PostsQuery): PostRowPosition[] => {
  const direction = query.after ? 1 : -1;
  const page = found.toSorted((one, other) => direction * comparePositions(one, other)).slice(0, query.limit);
  return query.after ? page.reverse() : page;
};
