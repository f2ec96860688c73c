import type { Message } from '../../domain/model.ts';
import { execute, integer, type Operation, queryFirst, type Row, text, textOrNull } from './statements.ts';

// Album names: sources name one album differently. The bot uses Telegram's own group id. An export uses the album's
// first message, because exports contain no group id. The store merges the names of one album, in whatever order they
// arrive. The rows contain the most reliable name.

/**
 * The album of a message. `rank` is the reliability of the source that named it. `previousAlbum` is the album that the
 * message was removed from, if any.
 */
export interface AlbumAssignment {
  readonly album: string | null;
  readonly rank: number;
  readonly isChanged: boolean;
  readonly previousAlbum: string | null;
}

/** Returns whether a name is from an export: `e` and the id of the album's first message. */
const isGuessedName = (name: string) => /^e\d+$/.test(name);

/** Returns the name under which an album is stored. */
function* resolveAlbumName(channel: string, name: string): Operation<string> {
  const row = yield* queryFirst('SELECT album FROM album_names WHERE channel = ? AND name = ?', channel, name);
  return row ? text(row, 'album') : name;
}

/**
 * Returns Telegram's own name rather than a guessed one. Of two guessed names, returns the one with the lower message
 * id.
 */
const preferredName = (first: string, second: string): string => {
  if (isGuessedName(first) !== isGuessedName(second)) return isGuessedName(first) ? second : first;
  return Number(first.slice(1)) <= Number(second.slice(1)) ? first : second;
};

/** Merges two names of an album. Two group ids of Telegram are two albums, whatever an export guessed. */
function* mergeAlbumNames(channel: string, first: string, second: string): Operation<string> {
  if (first === second || !(isGuessedName(first) || isGuessedName(second))) return first;
  const [preferred, replaced] = preferredName(first, second) === first ? [first, second] : [second, first];
  yield* execute('UPDATE album_names SET album = ? WHERE channel = ? AND album = ?', preferred, channel, replaced);
  yield* execute(
    `INSERT INTO album_names (channel, name, album) VALUES (?, ?, ?)
     ON CONFLICT (channel, name) DO UPDATE SET album = excluded.album`,
    ...[channel, replaced, preferred],
  );
  yield* execute('UPDATE messages SET album = ? WHERE channel = ? AND album = ?', preferred, channel, replaced);
  return preferred;
}

/**
 * Determines the album of an incoming message. The most reliable source wins, and the names of one album are merged.
 */
export function* assignAlbum(message: Message, row: Row | undefined, rank: number): Operation<AlbumAssignment> {
  const { channelId } = message.post;
  const newAlbum = message.albumId === undefined ? null : yield* resolveAlbumName(channelId, message.albumId);
  if (!row) return { album: newAlbum, rank, isChanged: true, previousAlbum: null };
  const currentAlbum = textOrNull(row, 'album');
  const currentRank = integer(row, 'album_rank');
  if (currentAlbum !== null && newAlbum !== null && (isGuessedName(currentAlbum) || isGuessedName(newAlbum))) {
    const album = yield* mergeAlbumNames(channelId, currentAlbum, newAlbum);
    return {
      album,
      rank: Math.max(rank, currentRank),
      isChanged: currentAlbum !== newAlbum || rank > currentRank,
      previousAlbum: null,
    };
  }
  const takesPrecedence = rank > currentRank || (rank === currentRank && currentAlbum === null);
  if (!takesPrecedence || (currentAlbum === newAlbum && rank === currentRank))
    return { album: currentAlbum, rank: currentRank, isChanged: false, previousAlbum: null };
  return { album: newAlbum, rank, isChanged: true, previousAlbum: currentAlbum === newAlbum ? null : currentAlbum };
}
