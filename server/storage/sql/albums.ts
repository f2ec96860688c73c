import type { Message } from '../../domain/model.ts';
import { get, integer, type Row, run, text, textOrNull, type Work } from './statements.ts';

// Album names: sources name one album differently. The bot uses Telegram's own group id. An export uses the album's first
// message, because exports contain no group id. The store merges the names of one album, in whatever order they arrive. The rows
// contain the most reliable name.

/** The album of a message. `left` is the album that the message was removed from, if any. */
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

/** Merges two names of an album. Two group ids of Telegram are two albums, whatever an export guessed. */
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

/** Determines the album of an incoming message. The most reliable source wins, and the names of one album are merged. */
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
