import { foundBy } from '../found-by.ts';
import type { MessageBody } from '../merge-message.ts';
import type { KeptMedia } from '../store.ts';
import type { Word } from '../words.ts';
import { type Database, integer, type Row, text } from './database.ts';

/** Reads what is kept of a message beside its columns. */
export const bodyOf = (row: Row): MessageBody => JSON.parse(text(row, 'body'));

/** Tells, as a column does, whether a post is one of those that a list of media shows. */
export const showsMedia = (media: readonly KeptMedia[]): 0 | 1 => (media.some(({ type }) => type !== 'sticker') ? 1 : 0);

const COLUMNS = 'id, message, head, media, hidden, body';

/** The rows that make one post, in the order of their ids: a message, or an album's. */
export const rowsOfPost = (database: Database, channel: string, message: number, album: string | null): Row[] =>
  album === null
    ? database.sql(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND message = ?`).all(channel, message)
    : database.sql(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? ORDER BY message`).all(channel, album);

/** A post after a change of one of its messages; `postId` is its first message's, `former` another that was the first before. */
export interface Settled {
  readonly postId: number;
  readonly former: number | null;
  readonly hidden: boolean;
}

/** Notes which files a message shows; a hidden one shows none. */
export const noteUses = (database: Database, channel: string, message: number, media: readonly KeptMedia[]): void => {
  database.sql('DELETE FROM media_uses WHERE channel = ? AND message = ?').run(channel, message);
  const use = database.sql('INSERT INTO media_uses (key, channel, message) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  for (const src of media.flatMap((item) => [item.src, item.poster?.src, item.motion]))
    if (src) use.run(src.replace(/^\/media\//, ''), channel, message);
};

/** Words whose spellings are written: writing forty of a post in vain takes three times as long as the index itself. */
const written = new WeakMap<Database, { undone: number; words: WeakSet<Word> }>();

const spelt = (database: Database): WeakSet<Word> => {
  const held = written.get(database);
  if (held && held.undone === database.undone()) return held.words;
  const words = new WeakSet<Word>();
  written.set(database, { undone: database.undone(), words });
  return words;
};

/** Says what a post is found by, which is not said yet, by the row that heads it. */
export const writeWords = (database: Database, channel: string, key: number, bodies: readonly MessageBody[]): void => {
  const words = foundBy(channel, bodies);
  const stems = new Set(words.map(({ word }) => word));
  database.sql('INSERT INTO words (rowid, stems) VALUES (?, ?)').run(key, [...stems].join(' '));
  const spell = database.sql('INSERT INTO spellings (part, word) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const known = spelt(database);
  for (const word of words) {
    if (word.parts.length === 0 || known.has(word)) continue;
    for (const part of word.parts) spell.run(part, word.word);
    known.add(word);
  }
};

/**
 * Says anew which row of a post heads it, what it is found by and whether it is hidden: a message that joins a hidden album is
 * hidden with it.
 */
export const settle = (database: Database, channel: string, message: number, album: string | null): Settled => {
  const members = rowsOfPost(database, channel, message, album);
  const bodies = members.map(bodyOf);
  const shows = showsMedia(bodies.flatMap(({ media }) => media));
  const hidden = members.find((member) => member.hidden !== null)?.hidden ?? null;
  for (const [at, member] of members.entries()) {
    const key = integer(member, 'id');
    const head = at === 0 && hidden === null ? 1 : 0;
    if (integer(member, 'head') !== head || integer(member, 'media') !== shows || member.hidden !== hidden)
      database.sql('UPDATE messages SET head = ?, media = ?, hidden = ? WHERE id = ?').run(head, shows, hidden, key);
    // A row that has never headed anything has no words, and deleting none costs a lookup.
    if (integer(member, 'head') === 1) database.sql('DELETE FROM words WHERE rowid = ?').run(key);
    if (head === 1) writeWords(database, channel, key, bodies);
  }
  const former = members.find((member, at) => at > 0 && integer(member, 'head') === 1);
  return {
    postId: integer(members[0] ?? {}, 'message'),
    former: former ? integer(former, 'message') : null,
    hidden: hidden !== null,
  };
};
