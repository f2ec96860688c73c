import type { Message } from '../../domain/model.ts';
import { get, integer, type Operation, type Row, run, text, textOrNull } from './statements.ts';

// Album names: sources name one album differently. The bot uses Telegram's own group id. An export uses the album's first
// message, because exports contain no group id. The store merges the names of one album, in whatever order they arrive. The rows
// contain the most reliable name.

/** The album of a message. `left` is the album that the message was removed from, if any. */
export interface AlbumAssignment {
  readonly album: string | null;
  readonly rank: number;
  readonly changed: boolean;
  readonly previousAlbum: string | null;
}

const isGuessedName = (name: string) => /^e\d+$/.test(name);

function* resolveAlbumName(channel: string, name: string): Operation<string> {
  const row = yield* get('SELECT album FROM album_names WHERE channel = ? AND name = ?', channel, name);
  return row ? text(row, 'album') : name;
}

const preferredName = (one: string, other: string): string => {
  if (isGuessedName(one) !== isGuessedName(other)) return isGuessedName(one) ? other : one;
  return Number(one.slice(1)) <= Number(other.slice(1)) ? one : other;
};

/** Merges two names of an album. Two group ids of Telegram are two albums, whatever an export guessed. */
function* mergeAlbumNames(channel: string, one: string, other: string): Operation<string> {
  if (one === other || !(isGuessedName(one) || isGuessedName(other))) return one;
  const [kept, gone] = preferredName(one, other) === one ? [one, other] : [other, one];
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
export function* assignAlbum(message: Message, row: Row | undefined, rank: number): Operation<AlbumAssignment> {
  const { channelId } = message.post;
  const come = message.albumId === undefined ? null : yield* resolveAlbumName(channelId, message.albumId);
  if (!row) return { album: come, rank, changed: true, previousAlbum: null };
  const held = textOrNull(row, 'album');
  const heldRank = integer(row, 'album_rank');
  if (held !== null && come !== null && (isGuessedName(held) || isGuessedName(come))) {
    const album = yield* mergeAlbumNames(channelId, held, come);
    return { album, rank: Math.max(rank, heldRank), changed: held !== come || rank > heldRank, previousAlbum: null };
  }
  const wins = rank > heldRank || (rank === heldRank && held === null);
  if (!wins || (held === come && rank === heldRank)) return { album: held, rank: heldRank, changed: false, previousAlbum: null };
  return { album: come, rank, changed: true, previousAlbum: held === come ? null : held };
}
