import type { Poll, Reaction } from '../../../contract/post.ts';
import { canonical, type MessageBody } from '../../domain/merge-message.ts';
import type { Told } from '../../domain/model.ts';
import { noteEvent } from './events.ts';
import { bodyOf, noteUses, settle } from './post-index.ts';
import { all, get, integer, type Row, run, text, textOrNull, type Work } from './statements.ts';

// Reactions and polls: a bot receives reactions and the end of a poll separately from the message, before or after it. Both are
// stored in their own tables. They are merged into the message whenever one of them arrives.

const isLater = (told: Told, held: Row): boolean =>
  told.at > integer(held, 'at') || (told.at === integer(held, 'at') && told.turn > integer(held, 'turn'));

/**
 * Returns whether a poll state replaces another one. A closed poll never opens again, in whatever order the states arrive.
 * Otherwise the later state wins.
 */
const supersedes = (come: Poll, turn: number, held: Poll | undefined, heldTurn: number): boolean =>
  held === undefined || (come.closed === held.closed ? turn > heldTurn : come.closed);

/** Merges separately reported reactions and poll states into a body, whose own content is from `turn`. */
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

/** Updates the stored body of a message, inside a transaction, and inserts an event. */
export function* rewrite(row: Row, body: MessageBody): Work<void> {
  const next = canonical(body);
  if (next === text(row, 'body')) return;
  const [channel, message] = [text(row, 'channel'), integer(row, 'message')];
  yield* run('UPDATE messages SET body = ? WHERE id = ?', next, integer(row, 'id'));
  const settled = yield* settle(channel, message, textOrNull(row, 'album'));
  yield* noteUses(channel, message, settled.hidden ? [] : body.media);
  if (!settled.hidden) yield* noteEvent('edited', channel, settled.postId);
}

/** Stores a message's reaction counts, unless later ones are known. */
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

/** Stores a poll's state, unless a later one is known. */
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
