import type { Poll, Reaction } from '../../../contract/post.ts';
import { canonical, type MessageBody } from '../../domain/merge-message.ts';
import type { Told } from '../../domain/model.ts';
import { noteEvent } from './events.ts';
import { bodyOf, noteUses, settle } from './post-index.ts';
import { all, get, integer, type Row, run, text, textOrNull, type Work } from './statements.ts';

// A bot hears of reactions and of a poll's end apart from the message, before it or after it. Both are kept by themselves and
// laid over the message whenever either comes.

const isLater = (told: Told, held: Row): boolean =>
  told.at > integer(held, 'at') || (told.at === integer(held, 'at') && told.turn > integer(held, 'turn'));

/** Whether a poll tells more than another: a closed one never opens again, whatever the order, and of two the later counts. */
const supersedes = (come: Poll, turn: number, held: Poll | undefined, heldTurn: number): boolean =>
  held === undefined || (come.closed === held.closed ? turn > heldTurn : come.closed);

/** What was told apart from a message, laid over what the message said by itself as of `turn`. */
export function* withTold(
  place: { readonly channel: string; readonly message: number; readonly poll: string | null; readonly turn: number },
  body: MessageBody,
): Work<MessageBody> {
  const reactions = yield* get('SELECT body FROM reactions WHERE channel = ? AND message = ?', place.channel, place.message);
  const poll = place.poll === null ? undefined : yield* get('SELECT turn, body FROM polls WHERE id = ?', place.poll);
  const told: Poll | undefined = poll && JSON.parse(text(poll, 'body'));
  return {
    ...body,
    ...(reactions ? { reactions: JSON.parse(text(reactions, 'body')) } : {}),
    ...(told && supersedes(told, integer(poll ?? {}, 'turn'), body.poll, place.turn) ? { poll: told } : {}),
  };
}

/** Changes what is kept of a message's content, inside a transaction, and tells of it. */
export function* rewrite(row: Row, body: MessageBody): Work<void> {
  const next = canonical(body);
  if (next === text(row, 'body')) return;
  const [channel, message] = [text(row, 'channel'), integer(row, 'message')];
  yield* run('UPDATE messages SET body = ? WHERE id = ?', next, integer(row, 'id'));
  const settled = yield* settle(channel, message, textOrNull(row, 'album'));
  yield* noteUses(channel, message, settled.hidden ? [] : body.media);
  if (!settled.hidden) yield* noteEvent('edited', channel, settled.postId);
}

/** Keeps a message's reaction counts, unless later ones are known. */
export function* writeReactions(channel: string, message: number, reactions: readonly Reaction[], told: Told): Work<void> {
  const held = yield* get('SELECT at, turn FROM reactions WHERE channel = ? AND message = ?', channel, message);
  if (held && !isLater(told, held)) return;
  yield* run(
    `INSERT INTO reactions (channel, message, at, turn, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (channel, message) DO UPDATE SET at = excluded.at, turn = excluded.turn, body = excluded.body`,
    channel,
    message,
    told.at,
    told.turn,
    JSON.stringify(reactions),
  );
  const row = yield* get('SELECT * FROM messages WHERE channel = ? AND message = ?', channel, message);
  if (row) yield* rewrite(row, { ...bodyOf(row), reactions: [...reactions] });
}

/** Keeps a poll's state, unless a later one is known. */
export function* writePoll(id: string, poll: Poll, told: Told): Work<void> {
  const held = yield* get('SELECT turn, body FROM polls WHERE id = ?', id);
  if (held && !supersedes(poll, told.turn, JSON.parse(text(held, 'body')), integer(held, 'turn'))) return;
  yield* run(
    `INSERT INTO polls (id, at, turn, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET at = excluded.at, turn = excluded.turn, body = excluded.body`,
    id,
    told.at,
    told.turn,
    JSON.stringify(poll),
  );
  for (const row of yield* all('SELECT * FROM messages WHERE poll = ?', id)) {
    const body = bodyOf(row);
    if (supersedes(poll, told.turn, body.poll, integer(row, 'turn'))) yield* rewrite(row, { ...body, poll });
  }
}
