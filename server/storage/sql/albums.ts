import type { Message } from '../../domain/model.ts';
import { get, integer, type Row, run, text, textOrNull, type Work } from './statements.ts';

// Sources name one album differently: the bot by Telegram's own group id, an export by its first message, because exports
// name none. Whichever comes first, the names of one album are united here, and the best known name stands in the rows.

/** Where a message belongs; `left` is the album that it was taken out of, if any. */
export interface AlbumPlace {
  readonly album: string | null;
  readonly rank: number;
  readonly changed: boolean;
  readonly left: string | null;
}

const guessed = (name: string) => /^e\d+$/.test(name);

function* standing(channel: string, name: string): Work<string> {
  const row = yield* get('SELECT album FROM album_names WHERE channel = ? AND name = ?', channel, name);
  return row ? text(row, 'album') : name;
}

const better = (one: string, other: string): string => {
  if (guessed(one) !== guessed(other)) return guessed(one) ? other : one;
  return Number(one.slice(1)) <= Number(other.slice(1)) ? one : other;
};

/** Makes two names of an album one; two of Telegram's own are two albums, whatever an export guessed. */
function* unite(channel: string, one: string, other: string): Work<string> {
  if (one === other || !(guessed(one) || guessed(other))) return one;
  const [kept, gone] = better(one, other) === one ? [one, other] : [other, one];
  yield* run('UPDATE album_names SET album = ? WHERE channel = ? AND album = ?', kept, channel, gone);
  yield* run(
    `INSERT INTO album_names (channel, name, album) VALUES (?, ?, ?)
     ON CONFLICT (channel, name) DO UPDATE SET album = excluded.album`,
    ...[channel, gone, kept],
  );
  yield* run('UPDATE messages SET album = ? WHERE channel = ? AND album = ?', kept, channel, gone);
  return kept;
}

/** Decides the album of a message that comes: the source that knows best wins, and names of one album are united. */
export function* albumFor(message: Message, row: Row | undefined, rank: number): Work<AlbumPlace> {
  const { channelId } = message.post;
  const come = message.albumId === undefined ? null : yield* standing(channelId, message.albumId);
  if (!row) return { album: come, rank, changed: true, left: null };
  const held = textOrNull(row, 'album');
  const heldRank = integer(row, 'album_rank');
  if (held !== null && come !== null && (guessed(held) || guessed(come))) {
    const album = yield* unite(channelId, held, come);
    return { album, rank: Math.max(rank, heldRank), changed: held !== come || rank > heldRank, left: null };
  }
  const wins = rank > heldRank || (rank === heldRank && held === null);
  if (!wins || (held === come && rank === heldRank)) return { album: held, rank: heldRank, changed: false, left: null };
  return { album: come, rank, changed: true, left: held === come ? null : held };
}
