import type { MessageBody } from '../../domain/merge-message.ts';
import { noteEvent } from '../../storage/sql/events.ts';
import { all, integer, text, type Work } from '../../storage/sql/statements.ts';

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
