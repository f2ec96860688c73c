// Event log: inserts events in the transactions of their changes, and reads the events after an id.

import type { MessageBody } from '../../domain/merge-message.ts';
import type { StoredEvent } from '../ports/store.ts';
import {
  type ChangeStatement,
  executeEach,
  integer,
  integerOrNull,
  type Operation,
  queryAll,
  queryFirst,
  text,
} from './statements.ts';

/** Number of events that are stored. A client that was offline for longer fetches everything again. */
const MAX_STORED_EVENTS = 50_000;

/** Old events are deleted once per this number of events. */
const EVENTS_PER_CLEANUP = 1000;

const DELETE_OLD_EVENTS: ChangeStatement = {
  text: `DELETE FROM events WHERE (SELECT max(id) FROM events) % ${EVENTS_PER_CLEANUP} = 0
    AND id <= (SELECT max(id) FROM events) - ${MAX_STORED_EVENTS}`,
  values: [],
};

const EVENT_KINDS = { new: 'new', edited: 'edited', hidden: 'hidden', channel: 'channel', refresh: 'refresh' } as const;

const isEventKind = (value: string): value is StoredEvent['kind'] => Object.hasOwn(EVENT_KINDS, value);

/**
 * Inserts an event, inside the transaction of the change. Once per `EVENTS_PER_CLEANUP` events, deletes the old ones:
 * in the same step, because the inserted id is not needed otherwise.
 */
export function* appendEvent(kind: StoredEvent['kind'], channel: string, message: number | null): Operation<void> {
  const insert: ChangeStatement = {
    text: 'INSERT INTO events (kind, channel, message) VALUES (?, ?, ?)',
    values: [kind, channel, message],
    appendsEvent: true,
  };
  yield* executeEach([insert, DELETE_OLD_EVENTS]);
}

/** Returns the id of the newest event, or 0 before the first. The newest event is never deleted. */
export function* readLastEventId(): Operation<number> {
  return integer((yield* queryFirst('SELECT coalesce(max(id), 0) AS n FROM events')) ?? {}, 'n');
}

/** Returns the events after an id, in order, or null if some of them were already deleted. */
export function* readEvents(after: number, limit: number): Operation<StoredEvent[] | null> {
  const last = yield* readLastEventId();
  if (after > last) return null;
  const first = (yield* queryFirst('SELECT min(id) AS n FROM events'))?.n;
  if (after < last && (typeof first !== 'number' || first > after + 1)) return null;
  const rows = yield* queryAll('SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?', after, limit);
  return rows.flatMap((row) => {
    const kind = text(row, 'kind');
    const messageId = integerOrNull(row, 'message');
    return isEventKind(kind) ? [{ id: integer(row, 'id'), kind, channelId: text(row, 'channel'), messageId }] : [];
  });
}

/**
 * Maximum number of replies to one message that get an event when it changes. Clients refetch further replies with
 * their pages.
 */
const MAX_REPLY_EVENTS = 200;

/** Returns the message that a message replies to, as its column stores it, or null. */
export const replyTargetOf = (channel: string, { reply }: MessageBody): string | null =>
  reply === undefined ? null : `${reply.channelId ?? channel}/${reply.id}`;

const REPLYING_POSTS = `
  SELECT a.channel, coalesce(h.message, a.message) AS message FROM messages a
  LEFT JOIN messages h ON h.channel = a.channel AND h.album = a.album AND h.head = 1
  WHERE a.answers = ? AND a.hidden IS NULL LIMIT ${MAX_REPLY_EVENTS}`;

/** Inserts events for the posts that reply to these messages: they quote text that changed. */
export function* appendReplyEvents(channel: string, messages: readonly number[]): Operation<void> {
  for (const message of messages)
    for (const row of yield* queryAll(REPLYING_POSTS, `${channel}/${message}`))
      yield* appendEvent('edited', text(row, 'channel'), integer(row, 'message'));
}
