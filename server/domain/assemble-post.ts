/** Post assembly: combines stored messages into the posts that lists show. */
import type { FormattedText } from '../../contract/extra.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Post } from '../../contract/post.ts';
import { concatFormattedText } from './formatted-text.ts';
import type { MessageBody } from './merge-message.ts';
import type { StoredMedia } from './model.ts';
import type { Pins } from './pins.ts';

/** A stored message, as the database returns it. */
export interface StoredMessage {
  readonly channelId: string;
  readonly id: number;
  readonly date: number;
  readonly album: string | null;
  /** Number of message ids before it that are unaccounted for. */
  readonly gap: number;
  /** Time at which it was found deleted at its source, unix seconds; null if it exists there. */
  readonly deletedAt: number | null;
  readonly body: LoadedBody;
}

/** Body that was parsed for this response and is not shared. */
type LoadedBody = Omit<MessageBody, 'media'> & { media: StoredMedia[] };

/** Properties of a channel that its posts show. */
export interface PostChannel {
  readonly id: string;
  readonly username: string | null;
  readonly feed: boolean;
  readonly demo: boolean;
  readonly pins: Pins;
}

/** Maximum length of the quote of a reply, UTF-16 code units. */
const MAX_EXCERPT_LENGTH = 120;

const telegramLinkOf = (channel: PostChannel, messageId: number): string | null => {
  if (channel.feed || channel.demo) return null;
  return `https://t.me/${channel.username ?? `c/${channel.id}`}/${messageId}`;
};

/** Merges the bodies of an album's messages. */
const mergeAlbum = (messages: readonly [StoredMessage, ...StoredMessage[]]): LoadedBody => {
  const [first] = messages;
  // Usually one picture of an album has a caption, and it belongs to the album. If several have captions, all are
  // shown.
  const captions = new Map(messages.map(({ body }) => [body.text, body]));
  const { text, entities } = concatFormattedText([...captions.values()], '\n\n');
  const edited = Math.max(...messages.map(({ body }) => body.edited ?? 0));
  return {
    ...first.body,
    ...(edited > 0 ? { edited } : {}),
    text,
    entities: [...entities],
    media: messages.flatMap(({ body }) => body.media),
    reactions: messages.find(({ body }) => body.reactions.length > 0)?.body.reactions ?? [],
  };
};

/** Creates the post of a message, or of an album's messages, which must be ordered by id. */
export const assemblePost = (messages: readonly [StoredMessage, ...StoredMessage[]], channel: PostChannel): Post => {
  const [{ channelId, id, date, body }] = messages;
  // The spread must be last: if fields follow it, V8 copies it field by field (9 µs per post instead of 2 µs).
  const post: Post = { channelId, id, date, ...(messages.length === 1 ? body : mergeAlbum(messages)) };
  if (messages.some((message) => channel.pins.has(message.id) && message.deletedAt === null)) post.pinned = true;
  const missingCount = messages.reduce((sum, { gap }) => sum + gap, 0);
  if (missingCount > 0) post.gap = missingCount;
  const deletedAt = messages.find((message) => message.deletedAt !== null)?.deletedAt;
  if (deletedAt) post.gone = deletedAt;
  const link = telegramLinkOf(channel, id);
  if (link !== null) post.link = link;
  return post;
};

/**
 * Shortens text to the quote of a reply: one line, at most 120 characters, no lone surrogate, nothing under a spoiler.
 */
export const excerptOf = (formattedText: FormattedText): string => {
  const line = plainText(formattedText).replace(/\s+/gu, ' ').trim();
  if (line.length <= MAX_EXCERPT_LENGTH) return line;
  const truncated = line.slice(0, MAX_EXCERPT_LENGTH - 1);
  return `${truncated.replace(/[\ud800-\udbff]$/u, '').trimEnd()}…`;
};
