import { canonical, mergeVersions, sameVersion, type Version, versionOf } from '../merge-message.ts';
import type { Message } from '../store.ts';
import { albumFor } from './albums.ts';
import { answeredBy, noteAnswers } from './answers.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { noteEvent } from './events.ts';
import { noteFiles, withFiles } from './file-refs.ts';
import { measureGaps } from './gaps.ts';
import { freeKey } from './message-key.ts';
import { bodyOf, noteUses, type Settled, settle, showsMedia } from './settle.ts';
import { withTold } from './told.ts';

/** What became of one message that was put. */
export type Outcome = 'inserted' | 'updated' | 'unchanged';

const heldVersion = (row: Row): Version => ({
  date: integer(row, 'date'),
  seen: integer(row, 'seen'),
  rank: integer(row, 'rank'),
  turn: integer(row, 'turn'),
  body: bodyOf(row),
});

const insert = (
  database: Database,
  { post, pollId }: Message,
  version: Version,
  album: { album: string | null; rank: number },
): void => {
  database
    .sql(
      `INSERT INTO messages (id, channel, message, date, seen, rank, turn, poll, answers, album, album_rank, head, media, service, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    )
    .run(
      freeKey(database, post.channelId, post.id, version.date),
      ...[post.channelId, post.id, version.date, version.seen, version.rank, version.turn, pollId ?? null],
      answeredBy(post.channelId, version.body),
      ...[album.album, album.rank],
      ...[showsMedia(version.body.media), version.body.service ? 1 : 0, canonical(version.body)],
    );
};

const update = (database: Database, row: Row, version: Version, poll: string | null): void => {
  const [key, moved] = [integer(row, 'id'), integer(row, 'date') !== version.date];
  const next = moved ? freeKey(database, text(row, 'channel'), integer(row, 'message'), version.date) : key;
  if (moved) database.sql('DELETE FROM words WHERE rowid = ?').run(key);
  database
    .sql(
      `UPDATE messages SET id = ?, date = ?, seen = ?, rank = ?, turn = ?, poll = ?, answers = ?, media = ?, service = ?, body = ?
       WHERE id = ?`,
    )
    .run(
      ...[next, version.date, version.seen, version.rank, version.turn, poll],
      ...[answeredBy(text(row, 'channel'), version.body), showsMedia(version.body.media)],
      ...[version.body.service ? 1 : 0, canonical(version.body), key],
    );
};

/** The message with what was told apart from it, merged with what is held of it. */
const versionToKeep = (database: Database, message: Message, row: Row | undefined, poll: string | null): Version => {
  const come = withFiles(database, versionOf(message), message.files ?? []);
  const merged = row ? mergeVersions(heldVersion(row), come) : come;
  const place = { channel: message.post.channelId, message: message.post.id, poll, turn: merged.turn };
  return { ...merged, body: withTold(database, place, merged.body) };
};

const keepRaw = (database: Database, { post, raw }: Message): void => {
  if (raw !== undefined)
    database
      .sql('INSERT OR REPLACE INTO raw_messages (channel, message, body) VALUES (?, ?, ?)')
      .run(post.channelId, post.id, raw);
};

/** An import tells of itself once, when it is done. */
const tell = (database: Database, message: Message, settled: Settled, isNew: boolean): void => {
  if (message.source === 'export' || settled.hidden) return;
  const { channelId, id } = message.post;
  // An album is called by its first message: one that comes late gives it another name.
  if (settled.former !== null) noteEvent(database, 'hidden', channelId, settled.former);
  noteEvent(database, isNew && settled.postId === id ? 'new' : 'edited', channelId, settled.postId);
  noteAnswers(database, channelId, [id]);
};

/** Puts one message, inside a transaction: merged with what is held of it, its album united, its head and words made anew. */
export const putMessage = (database: Database, message: Message): Outcome => {
  const { channelId, id } = message.post;
  const row = database.sql('SELECT * FROM messages WHERE channel = ? AND message = ?').get(channelId, id);
  const poll = message.pollId ?? (row && row.poll !== null ? text(row, 'poll') : null);
  const version = versionToKeep(database, message, row, poll);
  const album = albumFor(database, message, row, versionOf(message).rank);
  const changed = !row || !sameVersion(heldVersion(row), version);
  noteFiles(database, message, version);
  if (!row) insert(database, message, version, album);
  else {
    if (album.changed)
      database
        .sql('UPDATE messages SET album = ?, album_rank = ? WHERE channel = ? AND message = ?')
        .run(album.album, album.rank, channelId, id);
    if (changed) update(database, row, version, poll);
  }
  if (!changed && !album.changed) return 'unchanged';
  keepRaw(database, message);
  if (!row) measureGaps(database, channelId, id);
  const settled = settle(database, channelId, id, album.album);
  noteUses(database, channelId, id, settled.hidden ? [] : version.body.media);
  if (album.left !== null) settle(database, channelId, id, album.left);
  tell(database, message, settled, !row);
  return row ? 'updated' : 'inserted';
};
