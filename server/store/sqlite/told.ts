import type { Poll, Reaction } from '../../../contract/post.ts';
import { canonical, type MessageBody } from '../merge-message.ts';
import type { Told } from '../store.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { noteEvent } from './events.ts';
import { bodyOf, noteUses, settle } from './settle.ts';

// A bot hears of reactions and of a poll's end apart from the message, before it or after it. Both are kept by themselves and
// laid over the message whenever either comes.

const isLater = (told: Told, held: Row): boolean =>
  told.at > integer(held, 'at') || (told.at === integer(held, 'at') && told.turn > integer(held, 'turn'));

/** Whether a poll tells more than another: a closed one never opens again, whatever the order, and of two the later counts. */
const supersedes = (come: Poll, turn: number, held: Poll | undefined, heldTurn: number): boolean =>
  held === undefined || (come.closed === held.closed ? turn > heldTurn : come.closed);

/** What was told apart from a message, laid over what the message said by itself as of `turn`. */
export const withTold = (
  database: Database,
  place: { readonly channel: string; readonly message: number; readonly poll: string | null; readonly turn: number },
  body: MessageBody,
): MessageBody => {
  const reactions = database
    .sql('SELECT body FROM reactions WHERE channel = ? AND message = ?')
    .get(place.channel, place.message);
  const poll = place.poll === null ? undefined : database.sql('SELECT turn, body FROM polls WHERE id = ?').get(place.poll);
  const told: Poll | undefined = poll && JSON.parse(text(poll, 'body'));
  return {
    ...body,
    ...(reactions ? { reactions: JSON.parse(text(reactions, 'body')) } : {}),
    ...(told && supersedes(told, integer(poll ?? {}, 'turn'), body.poll, place.turn) ? { poll: told } : {}),
  };
};

/** Changes what is kept of a message's content, inside a transaction, and tells of it. */
export const rewrite = (database: Database, row: Row, change: (body: MessageBody) => MessageBody): void => {
  const body = change(bodyOf(row));
  const next = canonical(body);
  if (next === text(row, 'body')) return;
  const [channel, message] = [text(row, 'channel'), integer(row, 'message')];
  database.sql('UPDATE messages SET body = ? WHERE id = ?').run(next, integer(row, 'id'));
  const settled = settle(database, channel, message, row.album === null ? null : text(row, 'album'));
  noteUses(database, channel, message, settled.hidden ? [] : body.media);
  if (!settled.hidden) noteEvent(database, 'edited', channel, settled.postId);
};

/** Keeps a message's reaction counts, unless later ones are known. */
export const writeReactions = (
  database: Database,
  channel: string,
  message: number,
  reactions: readonly Reaction[],
  told: Told,
): void => {
  const held = database.sql('SELECT at, turn FROM reactions WHERE channel = ? AND message = ?').get(channel, message);
  if (held && !isLater(told, held)) return;
  database
    .sql(
      `INSERT INTO reactions (channel, message, at, turn, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET at = excluded.at, turn = excluded.turn, body = excluded.body`,
    )
    .run(channel, message, told.at, told.turn, JSON.stringify(reactions));
  const row = database.sql('SELECT * FROM messages WHERE channel = ? AND message = ?').get(channel, message);
  if (row) rewrite(database, row, (body) => ({ ...body, reactions: [...reactions] }));
};

/** Keeps a poll's state, unless a later one is known. */
export const writePoll = (database: Database, id: string, poll: Poll, told: Told): void => {
  const held = database.sql('SELECT turn, body FROM polls WHERE id = ?').get(id);
  if (held && !supersedes(poll, told.turn, JSON.parse(text(held, 'body')), integer(held, 'turn'))) return;
  database
    .sql(
      `INSERT INTO polls (id, at, turn, body) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET at = excluded.at, turn = excluded.turn, body = excluded.body`,
    )
    .run(id, told.at, told.turn, JSON.stringify(poll));
  for (const row of database.sql('SELECT * FROM messages WHERE poll = ?').all(id))
    rewrite(database, row, (body) => (supersedes(poll, told.turn, body.poll, integer(row, 'turn')) ? { ...body, poll } : body));
};
