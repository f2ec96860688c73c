import type { Media } from '../../../contract/post.ts';
import { searchable } from '../assemble.ts';
import { canonical, type MessageBody, mergeVersions, sameVersion, type Version, versionOf } from '../merge-message.ts';
import type { Message } from '../store.ts';
import { wordsOf } from '../words.ts';
import { albumFor } from './albums.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { freeKey } from './message-key.ts';

/** What became of one message that was put. */
export type Outcome = 'inserted' | 'updated' | 'unchanged';

const bodyOf = (row: Row): MessageBody => JSON.parse(text(row, 'body'));

const heldVersion = (row: Row): Version => ({
  date: integer(row, 'date'),
  seen: integer(row, 'seen'),
  rank: integer(row, 'rank'),
  body: bodyOf(row),
});

const showsMedia = (media: readonly Media[]) => (media.some(({ type }) => type !== 'sticker') ? 1 : 0);

const noteUses = (database: Database, channel: string, media: readonly Media[]): void => {
  const use = database.sql('INSERT INTO media_uses (key, channel) VALUES (?, ?) ON CONFLICT DO NOTHING');
  for (const src of media.flatMap((item) => [item.src, item.poster?.src]))
    if (src) use.run(src.replace(/^\/media\//, ''), channel);
};

const insert = (database: Database, { post }: Message, version: Version, album: { album: string | null; rank: number }): void => {
  database
    .sql(
      `INSERT INTO messages (id, channel, message, date, seen, rank, album, album_rank, head, media, service, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    )
    .run(
      freeKey(database, post.channelId, post.id, version.date),
      ...[post.channelId, post.id, version.date, version.seen, version.rank, album.album, album.rank],
      ...[showsMedia(version.body.media), version.body.service ? 1 : 0, canonical(version.body)],
    );
};

const update = (database: Database, row: Row, version: Version): void => {
  const [key, moved] = [integer(row, 'id'), integer(row, 'date') !== version.date];
  const next = moved ? freeKey(database, text(row, 'channel'), integer(row, 'message'), version.date) : key;
  if (moved) database.sql('DELETE FROM words WHERE rowid = ?').run(key);
  database
    .sql('UPDATE messages SET id = ?, date = ?, seen = ?, rank = ?, media = ?, service = ?, body = ? WHERE id = ?')
    .run(
      ...[next, version.date, version.seen, version.rank, showsMedia(version.body.media)],
      ...[version.body.service ? 1 : 0, canonical(version.body), key],
    );
};

/** Says anew which row of a group heads it, and what it is found by. */
const settle = (database: Database, channel: string, message: number, album: string | null): void => {
  const members =
    album === null
      ? database.sql('SELECT id, head, media, body FROM messages WHERE channel = ? AND message = ?').all(channel, message)
      : database
          .sql('SELECT id, head, media, body FROM messages WHERE channel = ? AND album = ? ORDER BY message')
          .all(channel, album);
  const bodies = members.map(bodyOf);
  const shows = showsMedia(bodies.flatMap(({ media }) => media));
  for (const [at, member] of members.entries()) {
    const key = integer(member, 'id');
    const head = at === 0 ? 1 : 0;
    if (integer(member, 'head') !== head || integer(member, 'media') !== shows)
      database.sql('UPDATE messages SET head = ?, media = ? WHERE id = ?').run(head, shows, key);
    // A row that has never headed anything has no words, and deleting none costs a lookup.
    if (integer(member, 'head') === 1) database.sql('DELETE FROM words WHERE rowid = ?').run(key);
    if (head === 0) continue;
    const stems = [`c:${channel}`, ...(shows ? ['m:'] : []), ...wordsOf(bodies.map(searchable).join('\n'))];
    database.sql('INSERT INTO words (rowid, stems) VALUES (?, ?)').run(key, stems.join(' '));
  }
};

/** Puts one message, inside a transaction: merged with what is held of it, its album united, its head and words made anew. */
export const putMessage = (database: Database, message: Message): Outcome => {
  const { channelId, id } = message.post;
  const row = database.sql('SELECT * FROM messages WHERE channel = ? AND message = ?').get(channelId, id);
  const come = versionOf(message);
  const album = albumFor(database, message, row, come.rank);
  const held = row && heldVersion(row);
  const version = held ? mergeVersions(held, come) : come;
  const changed = !held || !sameVersion(held, version);
  if (!row) insert(database, message, version, album);
  else {
    if (album.changed)
      database
        .sql('UPDATE messages SET album = ?, album_rank = ? WHERE channel = ? AND message = ?')
        .run(album.album, album.rank, channelId, id);
    if (changed) update(database, row, version);
  }
  if (!changed && !album.changed) return 'unchanged';
  noteUses(database, channelId, version.body.media);
  settle(database, channelId, id, album.album);
  if (album.left !== null) settle(database, channelId, id, album.left);
  return row ? 'updated' : 'inserted';
};
