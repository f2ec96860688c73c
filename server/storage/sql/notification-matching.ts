// Matching of new posts: queues a post for the choices of its channel, page by page, and moves the stored position. A
// page and its position are one transaction, so that no process matches a page twice.

import type { MessageBody } from '../../domain/merge-message.ts';
import { indexTermsOf } from '../../domain/search-terms.ts';
import type { MatchPosition, NotificationOwner, PostToMatch } from '../ports/notifications.ts';
import { readLastEventId } from './events.ts';
import { bodyOf, readRowsOfPost } from './post-index.ts';
import { putSetting, readSetting } from './settings.ts';
import {
  execute,
  executeEach,
  integer,
  jsonListOf,
  type Operation,
  queryAll,
  queryFirst,
  text,
  textOrNull,
} from './statements.ts';

const POSITION_SETTING = 'notifications-position';
const NOT_BEFORE_SETTING = 'notifications-not-before';

const serializePosition = ({ eventId, phase, after }: MatchPosition): string => JSON.stringify([eventId, phase, after]);

const parsePosition = (value: string): MatchPosition => {
  const [eventId, phase, after]: readonly unknown[] = JSON.parse(value);
  return { eventId: Number(eventId), phase: phase === 'words' ? 'words' : 'all', after: String(after) };
};

const atEvent = (eventId: number): MatchPosition => ({ eventId, phase: 'all', after: '' });

/**
 * Returns the position of the matching. Without one, stores the end of the event log, and `now` (unix seconds) as the
 * time before which posts are never matched.
 */
export function* readOrCreatePosition(now: number): Operation<MatchPosition> {
  const existing = yield* readPosition();
  if (existing !== null) return existing;
  const position = atEvent(yield* readLastEventId());
  yield* putSetting(POSITION_SETTING, serializePosition(position));
  yield* putSetting(NOT_BEFORE_SETTING, String(now));
  return position;
}

/** Reads the stored position, or null before the first call of `readOrCreatePosition`. */
export function* readPosition(): Operation<MatchPosition | null> {
  const value = yield* readSetting(POSITION_SETTING);
  return value === null ? null : parsePosition(value);
}

function* movePosition(from: MatchPosition, to: MatchPosition): Operation<boolean> {
  if ((yield* readSetting(POSITION_SETTING)) !== serializePosition(from)) return false;
  yield* putSetting(POSITION_SETTING, serializePosition(to));
  return true;
}

/** Moves the position to the end of an event. Returns false if another process has moved it. */
export const skipToEvent = (from: MatchPosition, eventId: number): Operation<boolean> => movePosition(from, atEvent(eventId));

/** Reads the time before which posts are never matched, in unix seconds. */
export function* readNotBefore(): Operation<number> {
  return Number((yield* readSetting(NOT_BEFORE_SETTING)) ?? 0);
}

/**
 * Clears the queue and the position: events until the next call of `readOrCreatePosition` are never matched. A restored
 * store is reset, because the server of the backup may have sent what was queued, and because sources may send posts
 * again that it has sent.
 */
export function* resetNotifications(): Operation<void> {
  yield* execute('DELETE FROM notification_queue');
  yield* execute('DELETE FROM facts WHERE name = ?', POSITION_SETTING);
}

/** Returns the message ids and bodies of a post; null if it is hidden or deleted. */
function* readPost({ channelId, postId }: PostToMatch): Operation<{ ids: number[]; bodies: MessageBody[] } | null> {
  const head = yield* queryFirst('SELECT album FROM messages WHERE channel = ? AND message = ? AND head = 1', channelId, postId);
  if (!head) return null;
  const rows = yield* readRowsOfPost(channelId, postId, textOrNull(head, 'album'));
  return { ids: rows.map((row) => integer(row, 'message')), bodies: rows.map(bodyOf) };
}

/** Records that the messages of a post are matched. Returns false if one of them was matched before. */
function* recordMatched(channelId: string, ids: readonly number[], atMs: number): Operation<boolean> {
  for (const id of ids)
    if (yield* queryFirst('SELECT 1 FROM notification_posts WHERE channel = ? AND message = ?', channelId, id)) return false;
  yield* executeEach(
    ids.map((id) => ({
      text: 'INSERT INTO notification_posts (channel, message, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      values: [channelId, id, Math.floor(atMs / 1000)],
    })),
  );
  return true;
}

/** A page of owners. `next` is the last owner of the page; null if no page follows. */
interface OwnerPage {
  readonly owners: readonly NotificationOwner[];
  readonly next: NotificationOwner | null;
}

/** Reads the next owners who chose all posts of a channel before an event. */
function* readOwnersOfAll({ channelId, eventId }: PostToMatch, after: NotificationOwner, limit: number): Operation<OwnerPage> {
  const rows = yield* queryAll(
    `SELECT owner, since FROM notification_choices WHERE channel = ? AND mode = 'all' AND owner > ? ORDER BY owner LIMIT ?`,
    ...[channelId, after, limit],
  );
  const last = rows.at(-1);
  return {
    owners: rows.filter((row) => integer(row, 'since') < eventId).map((row) => text(row, 'owner')),
    next: rows.length < limit || last === undefined ? null : text(last, 'owner'),
  };
}

/** Reads the next owners who chose words of a channel that a post contains. */
function* readOwnersOfWords(
  { channelId, eventId }: PostToMatch,
  terms: readonly string[],
  after: NotificationOwner,
  limit: number,
): Operation<OwnerPage> {
  const rows = yield* queryAll(
    `SELECT w.owner, w.rest, c.since FROM notification_words w
     JOIN notification_choices c ON c.owner = w.owner AND c.channel = w.channel
     WHERE w.term IN (SELECT value FROM json_each(?)) AND w.channel = ? AND w.owner > ? ORDER BY w.owner LIMIT ?`,
    ...[jsonListOf(terms), channelId, after, limit],
  );
  const isFull = rows.length === limit;
  // The last owner of a full page may have further words, so the next page begins with this owner.
  const lastOwner = isFull ? rows.at(-1)?.owner : null;
  const complete = rows.filter((row) => row.owner !== lastOwner);
  const known = new Set(terms);
  const isMatch = (rest: string): boolean => JSON.parse(rest).every((term: string) => known.has(term));
  const matching = complete.filter((row) => integer(row, 'since') < eventId && isMatch(text(row, 'rest')));
  const last = complete.at(-1);
  return {
    owners: [...new Set(matching.map((row) => text(row, 'owner')))],
    next: isFull && last !== undefined ? text(last, 'owner') : null,
  };
}

const QUEUE_COLUMNS = 'recipient, kind, channel, post, target, owner, at, due, attempts, sending';

function* queueForOwners(post: PostToMatch, owners: readonly NotificationOwner[]): Operation<void> {
  if (owners.length === 0) return;
  const values = [post.channelId, post.postId, post.at, post.at, jsonListOf(owners)];
  yield* execute(
    `INSERT INTO notification_queue (${QUEUE_COLUMNS})
     SELECT d.id, 'post', CAST(? AS TEXT), CAST(? AS BIGINT), 'push', d.owner, CAST(? AS BIGINT), CAST(? AS BIGINT), 0, 0
     FROM notification_devices d JOIN notification_settings s ON s.owner = d.owner AND s.target = 'push'
     WHERE d.owner IN (SELECT value FROM json_each(?)) ON CONFLICT DO NOTHING`,
    ...values,
  );
  yield* execute(
    `INSERT INTO notification_queue (${QUEUE_COLUMNS})
     SELECT 'b-' || s.owner, 'post', CAST(? AS TEXT), CAST(? AS BIGINT), 'bot', s.owner, CAST(? AS BIGINT), CAST(? AS BIGINT), 0, 0
     FROM notification_settings s
     WHERE s.owner IN (SELECT value FROM json_each(?)) AND s.target = 'bot' AND s.bot_access = 1 ON CONFLICT DO NOTHING`,
    ...values,
  );
}

/** Returns the position after a page. */
function nextPosition(from: MatchPosition, eventId: number, { next }: OwnerPage): MatchPosition {
  if (next !== null) return { ...from, after: next };
  return from.phase === 'all' ? { ...from, phase: 'words', after: '' } : atEvent(eventId);
}

/** Queues a post for the next page of owners. See `NotificationStore.matchPost`. */
export function* matchPost(from: MatchPosition, post: PostToMatch, limit: number): Operation<MatchPosition | null> {
  if ((yield* readSetting(POSITION_SETTING)) !== serializePosition(from)) return null;
  const found = yield* readPost(post);
  const isFirstPage = from.phase === 'all' && from.after === '';
  const isMatchable = found !== null && (!isFirstPage || (yield* recordMatched(post.channelId, found.ids, post.at)));
  const page = isMatchable ? yield* readOwners(from, post, found.bodies, limit) : null;
  const to = page === null ? atEvent(post.eventId) : nextPosition(from, post.eventId, page);
  yield* putSetting(POSITION_SETTING, serializePosition(to));
  yield* queueForOwners(post, page?.owners ?? []);
  return to;
}

const readOwners = (
  { phase, after }: MatchPosition,
  post: PostToMatch,
  bodies: readonly MessageBody[],
  limit: number,
): Operation<OwnerPage> => {
  if (phase === 'all') return readOwnersOfAll(post, after, limit);
  const terms = indexTermsOf(post.channelId, bodies).map(({ term }) => term);
  return readOwnersOfWords(post, terms, after, limit);
};
