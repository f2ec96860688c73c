// Post assembly: reads the other messages of an album and the quoted text of a reply, and combines them into the post.

import type { FormattedText } from '../../../contract/extra.ts';
import type { Post } from '../../../contract/post.ts';
import { assemblePost, excerptOf, type PostChannel, type StoredMessage } from '../../domain/assemble-post.ts';
import type { AccessScope } from '../../domain/model.ts';
import { readAccessibleChannels } from './access.ts';
import { all, get, integer, integerOrNull, type Operation, type Row, text, textOrNull } from './statements.ts';

export const MESSAGE_COLUMNS = 'message, date, album, gap, gone, body';

export const storedMessageOf = (channelId: string, row: Row): StoredMessage => ({
  channelId,
  id: integer(row, 'message'),
  date: integer(row, 'date'),
  album: textOrNull(row, 'album'),
  gap: integer(row, 'gap'),
  gone: integerOrNull(row, 'gone'),
  body: JSON.parse(text(row, 'body')),
});

function* readAlbumMembers(head: StoredMessage): Operation<[StoredMessage, ...StoredMessage[]]> {
  if (head.album === null) return [head];
  const rows = yield* all(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND album = ? AND message > ? ORDER BY message`,
    head.channelId,
    head.album,
    head.id,
  );
  return [head, ...rows.map((row) => storedMessageOf(head.channelId, row))];
}

const EMPTY_TEXT: FormattedText = { text: '', entities: [] };

/** Returns the text of the post that contains a message: empty if the message is not stored, null if it is hidden. */
function* readPostText(channel: string, message: number): Operation<FormattedText | null> {
  const row = yield* get(`SELECT hidden, ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND message = ?`, channel, message);
  if (!row) return EMPTY_TEXT;
  if (row.hidden !== null) return null;
  const stored = storedMessageOf(channel, row);
  if (stored.body.text !== '' || stored.album === null) return stored.body;
  const rows = yield* all('SELECT body FROM messages WHERE channel = ? AND album = ? ORDER BY message', channel, stored.album);
  const members: readonly FormattedText[] = rows.map((member) => JSON.parse(text(member, 'body')));
  return members.find((member) => member.text !== '') ?? EMPTY_TEXT;
}

const withoutExcerpt = (post: Post, { excerpt: _excerpt, ...reply }: NonNullable<Post['reply']>): Post => ({ ...post, reply });

function* withExcerpt(post: Post, audience: AccessScope, channels: ReadonlyMap<string, PostChannel>): Operation<Post> {
  if (!post.reply) return post;
  const from = post.reply.channelId ?? post.channelId;
  if (!channels.has(from) && (yield* readAccessibleChannels(audience, [from])).size === 0) {
    // The excerpt from the source belongs to a channel that this caller may not read, if that channel is stored here at all.
    const isStored = (yield* get('SELECT 1 FROM channels WHERE id = ?', from)) !== undefined;
    return isStored ? withoutExcerpt(post, post.reply) : post;
  }
  const answered = yield* readPostText(from, post.reply.id);
  // If the post is hidden here, the excerpt from the source is hidden too.
  if (answered === null) return withoutExcerpt(post, post.reply);
  const excerpt = excerptOf(answered);
  return excerpt === '' ? post : { ...post, reply: { ...post.reply, excerpt } };
}

export function* readWholePost(
  head: StoredMessage,
  audience: AccessScope,
  channels: ReadonlyMap<string, PostChannel>,
): Operation<Post[]> {
  const channel = channels.get(head.channelId);
  return channel ? [yield* withExcerpt(assemblePost(yield* readAlbumMembers(head), channel), audience, channels)] : [];
}

/** Reads a hidden post by the row of its first message. */
export function* readHiddenPost(row: Row): Operation<Post | null> {
  const channelId = text(row, 'channel');
  const everyone: AccessScope = { privateChannels: 'all' };
  const [post] = yield* readWholePost(
    storedMessageOf(channelId, row),
    everyone,
    yield* readAccessibleChannels(everyone, [channelId]),
  );
  return post ?? null;
}
