import type { MessageBody } from '../../domain/merge-message.ts';
import type { LiveEvent } from '../ports/store.ts';
import { all, get, integer, integerOrNull, run, text, type Work } from './statements.ts';

/** Events that are kept; a reader who was away for longer reads everything anew. */
const KEPT = 50_000;

const KINDS = { new: 'new', edited: 'edited', hidden: 'hidden', channel: 'channel', refresh: 'refresh' } as const;

const isKind = (word: string): word is LiveEvent['kind'] => Object.hasOwn(KINDS, word);

/** Writes an event, inside the transaction of what it tells. */
export function* noteEvent(kind: LiveEvent['kind'], channel: string, message: number | null): Work<void> {
  const noted = yield* get('INSERT INTO events (kind, channel, message) VALUES (?, ?, ?) RETURNING id', kind, channel, message);
  const id = integer(noted ?? {}, 'id');
  if (id % 1000 === 0) yield* run('DELETE FROM events WHERE id <= ?', id - KEPT);
}

/** The number of the newest event, which never leaves; 0 before the first. */
export function* readLastEvent(): Work<number> {
  return integer((yield* get('SELECT coalesce(max(id), 0) AS n FROM events')) ?? {}, 'n');
}

/** Events after one, in order; null when some of them are gone. */
export function* readEvents(after: number, limit: number): Work<LiveEvent[] | null> {
  const last = yield* readLastEvent();
  if (after > last) return null;
  const first = (yield* get('SELECT min(id) AS n FROM events'))?.n;
  if (after < last && (typeof first !== 'number' || first > after + 1)) return null;
  const rows = yield* all('SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?', after, limit);
  return rows.flatMap((row) => {
    const kind = text(row, 'kind');
    const messageId = integerOrNull(row, 'message');
    return isKind(kind) ? [{ id: integer(row, 'id'), kind, channelId: text(row, 'channel'), messageId }] : [];
  });
}

/** Answers to one message that are told of a change in it; more are read anew with their pages. */
const MOST = 200;

/** What a message answers, as its column holds it; null for nothing. */
export const answeredBy = (channel: string, { reply }: MessageBody): string | null =>
  reply === undefined ? null : `${reply.channelId ?? channel}/${reply.id}`;

const HEADS = `
  SELECT a.channel, coalesce(h.message, a.message) AS message FROM messages a
  LEFT JOIN messages h ON h.channel = a.channel AND h.album = a.album AND h.head = 1
  WHERE a.answers = ? AND a.hidden IS NULL LIMIT ${MOST}`;

/** Notes that the posts which answer these messages changed: they quote words that did. */
export function* noteAnswers(channel: string, messages: readonly number[]): Work<void> {
  for (const message of messages)
    for (const row of yield* all(HEADS, `${channel}/${message}`))
      yield* noteEvent('edited', text(row, 'channel'), integer(row, 'message'));
}
