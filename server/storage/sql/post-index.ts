// Post index: derived columns and search terms of posts, and the row ids that order messages by date.

import { showsMedia } from '../../../contract/shown-media.ts';
import type { MessageBody } from '../../domain/merge-message.ts';
import type { KeptMedia } from '../../domain/model.ts';
import { foundBy } from '../../domain/search-terms.ts';
import { isDue, makeDue, visitSome } from './due.ts';
import { all, get, integer, type Row, run, runEach, text, textOrNull, type Work } from './statements.ts';

/** Parses the body of a message: the data that has no column of its own. */
export const bodyOf = (row: Row): MessageBody => JSON.parse(text(row, 'body'));

/** Returns the value of the column `media` for a post with these files. */
export const mediaColumn = (media: readonly KeptMedia[]): 0 | 1 => (showsMedia(media) ? 1 : 0);

const COLUMNS = 'id, message, head, media, hidden, body';

/** Returns the rows of one post, in the order of their ids: a single message, or the messages of an album. */
export function* rowsOfPost(channel: string, message: number, album: string | null): Work<readonly Row[]> {
  return album === null
    ? yield* all(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND message = ?`, channel, message)
    : yield* all(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? ORDER BY message`, channel, album);
}

/**
 * A post after one of its messages changed. `postId` is its first message. `former` is the previous first message, if it is
 * another one.
 */
export interface Settled {
  readonly postId: number;
  readonly former: number | null;
  readonly hidden: boolean;
}

const fileKey = (src: string): string => src.replace(/^\/media\//, '');

/** Stores which files a message shows. A hidden message shows none. */
export function* noteUses(channel: string, message: number, media: readonly KeptMedia[]): Work<void> {
  const shown = media.flatMap((item) => [item.src ?? [], item.poster?.src ?? [], item.motion ?? []]).flat();
  yield* run('DELETE FROM media_uses WHERE channel = ? AND message = ?', channel, message);
  yield* runEach(
    shown.map((src) => ({
      text: 'INSERT INTO media_uses (key, channel, message) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      values: [fileKey(src), channel, message],
    })),
  );
}

const SPELL = 'INSERT INTO spellings (part, word) VALUES (?, ?) ON CONFLICT DO NOTHING';

/**
 * Inserts the search terms of a post that has none yet, under its head row. Terms are in quotes, as PostgreSQL needs them;
 * SQLite's tokenizer treats quotes as spaces. Spellings that exist already are skipped: forty useless inserts per post take three
 * times as long as the index itself.
 */
export function* writeWords(channel: string, key: number, bodies: readonly MessageBody[]): Work<void> {
  const words = foundBy(channel, bodies);
  const stems = new Set(words.map(({ word }) => `'${word}'`));
  yield* run('INSERT INTO words (rowid, stems) VALUES (?, ?)', key, [...stems].join(' '));
  yield* runEach(words.flatMap((word) => word.parts.map((part) => ({ text: SPELL, values: [part, word.word], once: word }))));
}

/**
 * Recomputes which row is the head of a post, its search terms, and whether it is hidden. A message that joins a hidden album is
 * hidden with it.
 */
export function* settle(channel: string, message: number, album: string | null): Work<Settled> {
  const members = yield* rowsOfPost(channel, message, album);
  const bodies = members.map(bodyOf);
  const shows = mediaColumn(bodies.flatMap(({ media }) => media));
  const hidden = members.find((member) => member.hidden !== null)?.hidden ?? null;
  for (const [at, member] of members.entries()) {
    const key = integer(member, 'id');
    const head = at === 0 && hidden === null ? 1 : 0;
    if (integer(member, 'head') !== head || integer(member, 'media') !== shows || member.hidden !== hidden)
      yield* run('UPDATE messages SET head = ?, media = ?, hidden = ? WHERE id = ?', head, shows, hidden, key);
    // A row that has never been a head has no search terms, and the delete would cost a lookup.
    if (integer(member, 'head') === 1) yield* run('DELETE FROM words WHERE rowid = ?', key);
    if (head === 1) yield* writeWords(channel, key, bodies);
  }
  const former = members.find((member, at) => at > 0 && integer(member, 'head') === 1);
  return {
    postId: integer(members[0] ?? {}, 'message'),
    former: former ? integer(former, 'message') : null,
    hidden: hidden !== null,
  };
}

/** Row ids per second. */
const SLOTS = 2 ** 20;

/** Returns the lowest row id of a second. Row ids follow dates, so that walks of the search index do too. */
export const firstKey = (date: number): number => Math.max(0, date) * SLOTS;

const slotOf = (channel: string, message: number): number => {
  let hash = message;
  for (let at = 0; at < channel.length; at += 1) hash = (Math.imul(hash, 31) + channel.charCodeAt(at)) | 0;
  return (hash >>> 0) % SLOTS;
};

/** Finds a free row id in the second of a message. */
export function* freeKey(channel: string, message: number, date: number): Work<number> {
  const first = slotOf(channel, message);
  for (let step = 0; step < SLOTS; step += 1) {
    const key = firstKey(date) + ((first + step) % SLOTS);
    if (!(yield* get('SELECT id FROM messages WHERE id = ?', key))) return key;
  }
  throw new Error(`More than ${SLOTS} messages are dated ${date}`);
}

/** The highest possible row id. */
export const LAST_KEY = Number.MAX_SAFE_INTEGER;

/** Metadata key that a migration stores to request that all search terms are rebuilt. */
const FACT = 'words-to-remake';

/** Returns whether a migration requested a rebuild of the search terms. */
export const areWordsDue = (): Work<boolean> => isDue(FACT);

function* remakeOf(head: Row): Work<void> {
  const [key, channel, message] = [integer(head, 'id'), text(head, 'channel'), integer(head, 'message')];
  const members = yield* rowsOfPost(channel, message, textOrNull(head, 'album'));
  yield* writeWords(channel, key, members.map(bodyOf));
}

/**
 * Rebuilds the search terms of the next posts after a row id, where none are stored. Returns the row id of the last one, or null
 * at the end.
 */
export const remakeSome = (after: number): Work<number | null> => visitSome(after, remakeOf);

/**
 * Rebuilds the search terms of all posts, if a migration requested it. It runs in one transaction after all migrations, so that
 * the tables always have their current schema. `clear` empties the engine's index. 100,000 posts of 500 bytes take up to a
 * minute, and no other write can run meanwhile.
 */
export const remakeWords = (clear: string): Work<void> =>
  makeDue(FACT, remakeSome, function* () {
    yield* run(clear);
    yield* run('DELETE FROM spellings');
  });
