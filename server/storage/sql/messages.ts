// Message upsert: merges an incoming message into the stored one, and updates its album, files, gaps, search terms and events.

import { canonical, mergeVersions, sameVersion, type Version, versionOf } from '../../domain/merge-message.ts';
import type { Message } from '../../domain/model.ts';
import { albumFor } from './albums.ts';
import { answeredBy, noteAnswers, noteEvent } from './events.ts';
import { noteFiles, withFiles } from './file-refs.ts';
import { measureGaps } from './gaps.ts';
import { bodyOf, freeKey, mediaColumn, noteUses, type Settled, settle } from './post-index.ts';
import { withTold } from './reactions-and-polls.ts';
import { get, integer, type Row, run, text, type Work } from './statements.ts';

/** Result of storing one message. */
export type Outcome = 'inserted' | 'updated' | 'unchanged';

const heldVersion = (row: Row): Version => ({
  date: integer(row, 'date'),
  seen: integer(row, 'seen'),
  rank: integer(row, 'rank'),
  turn: integer(row, 'turn'),
  body: bodyOf(row),
});

function* insert({ post, pollId }: Message, version: Version, album: { album: string | null; rank: number }): Work<void> {
  yield* run(
    `INSERT INTO messages (id, channel, message, date, seen, rank, turn, poll, answers, album, album_rank, head, media, service, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    yield* freeKey(post.channelId, post.id, version.date),
    ...[post.channelId, post.id, version.date, version.seen, version.rank, version.turn, pollId ?? null],
    answeredBy(post.channelId, version.body),
    ...[album.album, album.rank],
    ...[mediaColumn(version.body.media), version.body.service ? 1 : 0, canonical(version.body)],
  );
}

function* update(row: Row, version: Version, poll: string | null): Work<void> {
  const [key, moved] = [integer(row, 'id'), integer(row, 'date') !== version.date];
  const next = moved ? yield* freeKey(text(row, 'channel'), integer(row, 'message'), version.date) : key;
  if (moved) yield* run('DELETE FROM words WHERE rowid = ?', key);
  yield* run(
    `UPDATE messages SET id = ?, date = ?, seen = ?, rank = ?, turn = ?, poll = ?, answers = ?, media = ?, service = ?, body = ?
       WHERE id = ?`,
    ...[next, version.date, version.seen, version.rank, version.turn, poll],
    ...[answeredBy(text(row, 'channel'), version.body), mediaColumn(version.body.media)],
    ...[version.body.service ? 1 : 0, canonical(version.body), key],
  );
}

/** Returns the version to store: the stored and the incoming version, merged, with separately reported reactions and polls. */
function* versionToKeep(message: Message, row: Row | undefined, poll: string | null): Work<Version> {
  const come = yield* withFiles(versionOf(message), message.files ?? []);
  const merged = row ? mergeVersions(heldVersion(row), come) : come;
  const place = { channel: message.post.channelId, message: message.post.id, poll, turn: merged.turn };
  return { ...merged, body: yield* withTold(place, merged.body) };
}

function* keepRaw({ post, raw }: Message): Work<void> {
  if (raw !== undefined)
    yield* run(
      `INSERT INTO raw_messages (channel, message, body) VALUES (?, ?, ?)
       ON CONFLICT (channel, message) DO UPDATE SET body = excluded.body`,
      ...[post.channelId, post.id, raw],
    );
}

/** Inserts the events of a message. An import sends a single event when it is complete, so its messages have none. */
function* tell(message: Message, settled: Settled, isNew: boolean): Work<void> {
  if (message.source === 'export' || settled.hidden) return;
  const { channelId, id } = message.post;
  // The id of an album is that of its first message. An earlier message that arrives late changes the album's id.
  if (settled.former !== null) yield* noteEvent('hidden', channelId, settled.former);
  yield* noteEvent(isNew && settled.postId === id ? 'new' : 'edited', channelId, settled.postId);
  yield* noteAnswers(channelId, [id]);
}

/**
 * Stores one message, inside a transaction. Merges it with the stored version, merges the names of its album, and recomputes the
 * head row and the search terms of its post.
 */
export function* putMessage(message: Message): Work<Outcome> {
  const { channelId, id } = message.post;
  const row = yield* get('SELECT * FROM messages WHERE channel = ? AND message = ?', channelId, id);
  const poll = message.pollId ?? (row && row.poll !== null ? text(row, 'poll') : null);
  const version = yield* versionToKeep(message, row, poll);
  const album = yield* albumFor(message, row, versionOf(message).rank);
  const changed = !row || !sameVersion(heldVersion(row), version);
  yield* noteFiles(message, version);
  if (!row) yield* insert(message, version, album);
  else {
    if (album.changed)
      yield* run(
        'UPDATE messages SET album = ?, album_rank = ? WHERE channel = ? AND message = ?',
        album.album,
        album.rank,
        channelId,
        id,
      );
    if (changed) yield* update(row, version, poll);
  }
  if (!changed && !album.changed) return 'unchanged';
  yield* keepRaw(message);
  if (!row) yield* measureGaps(channelId, id);
  const settled = yield* settle(channelId, id, album.album);
  yield* noteUses(channelId, id, settled.hidden ? [] : version.body.media);
  if (album.left !== null) yield* settle(channelId, id, album.left);
  yield* tell(message, settled, !row);
  return row ? 'updated' : 'inserted';
}
