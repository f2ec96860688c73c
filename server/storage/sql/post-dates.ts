// Post dates: when the posts of a channel were published and last modified, for sitemaps.

import type { AccessScope, DateRange, PostDate, PostSpan } from '../../domain/model.ts';
import { readAccessibleChannels } from './access.ts';
import {
  inParallel,
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

/** The dates of a message, unix seconds. */
interface DatedMessage {
  readonly date: number;
  readonly body: { readonly edited?: number };
}

const datedMessageOf = (row: Row): DatedMessage => ({ date: integer(row, 'date'), body: JSON.parse(text(row, 'body')) });

/** Returns when a post was last modified: the latest date of its messages and their edits. */
const lastModifiedAt = (messages: readonly DatedMessage[]): number =>
  Math.max(...messages.map(({ date, body }) => Math.max(date, body.edited ?? 0)));

function* readPostDate(channelId: string, row: Row): Operation<PostDate> {
  const album = textOrNull(row, 'album');
  const members =
    album === null ? [row] : yield* queryAll('SELECT date, body FROM messages WHERE channel = ? AND album = ?', channelId, album);
  return { id: integer(row, 'message'), date: integer(row, 'date'), modifiedAt: lastModifiedAt(members.map(datedMessageOf)) };
}

/** Reads a channel's posts, oldest first, with their dates. Service messages are left out. */
export function* readPostDates(channelId: string, range: DateRange, accessScope: AccessScope): Operation<PostDate[]> {
  if ((yield* readAccessibleChannels(accessScope, [channelId])).size === 0) return [];
  const { from, to, afterId = Number.MIN_SAFE_INTEGER, limit } = range;
  const rows = yield* queryAll(
    `SELECT message, date, album, body FROM messages
     WHERE channel = ? AND head = 1 AND date BETWEEN ? AND ? AND (date > ? OR message > ?) AND service = 0
     ORDER BY date, message LIMIT ?`,
    ...[channelId, from, to, from, afterId, limit],
  );
  return yield* inParallel(rows.map((row) => readPostDate(channelId, row)));
}

/** Returns the span of each channel with posts, by one statement. It reads only the index. */
export function* readPostSpans(
  channelIds: readonly string[],
  offset: number,
  accessScope: AccessScope,
): Operation<Map<string, PostSpan>> {
  const accessible = [...(yield* readAccessibleChannels(accessScope, channelIds)).keys()];
  if (accessible.length === 0) return new Map();
  const rows = yield* queryAll(
    `SELECT id, (SELECT date FROM messages WHERE channel = c.id AND head = 1 ORDER BY date, message LIMIT 1) AS oldest,
       (SELECT date FROM messages WHERE channel = c.id AND head = 1 ORDER BY date, message LIMIT 1 OFFSET ?) AS later,
       (SELECT 1 FROM messages WHERE channel = c.id AND head = 1 AND service = 0 LIMIT 1) AS posted
     FROM channels c WHERE id IN (SELECT value FROM json_each(?))`,
    ...[offset, jsonListOf(accessible)],
  );
  return new Map(
    rows
      .filter(({ oldest }) => oldest !== null)
      .map((row) => [
        text(row, 'id'),
        { firstDate: integer(row, 'oldest'), dateAtOffset: integerOrNull(row, 'later'), hasPosts: row.posted !== null },
      ]),
  );
}

/**
 * Returns the date of the post at offset `skip` after the oldest one dated `from` or later; null if there is none. It
 * reads only the index.
 */
export function* readDateAfter(
  channelId: string,
  from: number,
  skip: number,
  accessScope: AccessScope,
): Operation<number | null> {
  if ((yield* readAccessibleChannels(accessScope, [channelId])).size === 0) return null;
  const row = yield* queryFirst(
    'SELECT date FROM messages WHERE channel = ? AND head = 1 AND date >= ? ORDER BY date, message LIMIT 1 OFFSET ?',
    ...[channelId, from, skip],
  );
  return row ? integer(row, 'date') : null;
}
