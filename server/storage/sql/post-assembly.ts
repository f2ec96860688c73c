// Post assembly: reads the other messages of an album and the quoted text of a reply, and combines them into the post.

import type { FormattedText } from '../../../contract/extra.ts';
import type { Post } from '../../../contract/post.ts';
import { assemblePost, excerptOf, type PostChannel, type StoredMessage } from '../../domain/assemble-post.ts';
import { type AccessScope, FULL_ACCESS } from '../../domain/model.ts';
import { readAccessibleChannels } from './access.ts';
import { integer, integerOrNull, type Operation, queryAll, queryFirst, type Row, text, textOrNull } from './statements.ts';

/** The columns that `storedMessageOf` parses. */
export const MESSAGE_COLUMNS = 'message, date, album, gap, gone, body';

/** Parses a row of `messages`. */
export const storedMessageOf = (channelId: string, row: Row): StoredMessage => ({
  channelId,
  id: integer(row, 'message'),
  date: integer(row, 'date'),
  album: textOrNull(row, 'album'),
  gap: integer(row, 'gap'),
  deletedAt: integerOrNull(row, 'gone'),
  body: JSON.parse(text(row, 'body')),
});

/**
 * Reads the post that starts with this message, in a list of one post. The list is empty if its channel is not one of
 * `channels`, the channels that the caller may read.
 */
export function* readCompletePost(
  firstMessage: StoredMessage,
  accessScope: AccessScope,
  channels: ReadonlyMap<string, PostChannel>,
): Operation<Post[]> {
  const channel = channels.get(firstMessage.channelId);
  if (!channel) return [];
  const post = assemblePost(yield* readMessagesOfPost(firstMessage), channel);
  return [yield* withReplyExcerpt(post, accessScope, channels)];
}

/** Reads a hidden post by the row of its first message. */
export function* readHiddenPost(row: Row): Operation<Post | null> {
  const channelId = text(row, 'channel');
  const [post] = yield* readCompletePost(
    storedMessageOf(channelId, row),
    FULL_ACCESS,
    yield* readAccessibleChannels(FULL_ACCESS, [channelId]),
  );
  return post ?? null;
}

/** Returns the messages of a post, in the order of their ids: one, or those of an album. */
function* readMessagesOfPost(firstMessage: StoredMessage): Operation<[StoredMessage, ...StoredMessage[]]> {
  if (firstMessage.album === null) return [firstMessage];
  const rows = yield* queryAll(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND album = ? AND message > ? ORDER BY message`,
    firstMessage.channelId,
    firstMessage.album,
    firstMessage.id,
  );
  return [firstMessage, ...rows.map((row) => storedMessageOf(firstMessage.channelId, row))];
}

/**
 * Sets the excerpt of the post that this post replies to, from the stored text. The source sent an excerpt too, which
 * may contain text that this caller may not read.
 */
function* withReplyExcerpt(post: Post, accessScope: AccessScope, channels: ReadonlyMap<string, PostChannel>): Operation<Post> {
  if (!post.reply) return post;
  const repliedChannelId = post.reply.channelId ?? post.channelId;
  if (!channels.has(repliedChannelId) && (yield* readAccessibleChannels(accessScope, [repliedChannelId])).size === 0) {
    // If the channel is stored here, this caller may not read it, nor the source's excerpt of its post.
    const isStored = (yield* queryFirst('SELECT 1 FROM channels WHERE id = ?', repliedChannelId)) !== undefined;
    return isStored ? withoutReplyExcerpt(post, post.reply) : post;
  }
  const quotedText = yield* readPostText(repliedChannelId, post.reply.id);
  // If the post is hidden here, the excerpt from the source is hidden too.
  if (quotedText === null) return withoutReplyExcerpt(post, post.reply);
  const excerpt = excerptOf(quotedText);
  return excerpt === '' ? post : { ...post, reply: { ...post.reply, excerpt } };
}

const withoutReplyExcerpt = (post: Post, { excerpt: _excerpt, ...reply }: NonNullable<Post['reply']>): Post => ({
  ...post,
  reply,
});

const EMPTY_TEXT: FormattedText = { text: '', entities: [] };

/** Returns the text of the post that contains a message: empty if the message is not stored, null if it is hidden. */
function* readPostText(channel: string, message: number): Operation<FormattedText | null> {
  const row = yield* queryFirst(
    `SELECT hidden, ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND message = ?`,
    channel,
    message,
  );
  if (!row) return EMPTY_TEXT;
  if (row.hidden !== null) return null;
  const stored = storedMessageOf(channel, row);
  if (stored.body.text !== '' || stored.album === null) return stored.body;
  const rows = yield* queryAll(
    'SELECT body FROM messages WHERE channel = ? AND album = ? ORDER BY message',
    channel,
    stored.album,
  );
  const bodies: readonly FormattedText[] = rows.map((member) => JSON.parse(text(member, 'body')));
  return bodies.find((body) => body.text !== '') ?? EMPTY_TEXT;
}
