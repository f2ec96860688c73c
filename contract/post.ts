/** Post schema: TypeBox schemas and types of a post, its text entities and its media. */
import { type Static, Type } from 'typebox';
import { StoredPicture } from './channel.ts';

/** All entity types that a source can supply, spelled as in the Bot API. Sources map their own spellings to these. */
export const ENTITY_TYPES = [
  'mention',
  'hashtag',
  'cashtag',
  'bot_command',
  'url',
  'email',
  'phone_number',
  'bank_card',
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
  'pre',
  'text_link',
  'text_mention',
  'custom_emoji',
  'date_time',
  'subscript',
  'superscript',
  'marked',
  'math',
] as const;

/**
 * A formatted range of a post's text. `offset` and `length` are UTF-16 code units (JavaScript string indices); entities
 * may nest. `url` belongs to text_link and is always http, https, tg, mailto or tel; `language` to pre; `userId` to
 * text_mention; `emojiId` to custom_emoji; `time` (unix seconds) to date_time.
 */
export const Entity = Type.Object({
  type: Type.Enum([...ENTITY_TYPES]),
  offset: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 1 }),
  url: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  userId: Type.Optional(Type.String()),
  emojiId: Type.Optional(Type.String()),
  time: Type.Optional(Type.Integer()),
});
export type Entity = Static<typeof Entity>;

/** Types of a media item. A `sticker` is a still image, an animation or a video, depending on its `mime`. */
export const MEDIA_TYPES = ['photo', 'video', 'animation', 'audio', 'voice', 'video_note', 'document', 'sticker'] as const;

/**
 * A file of a post. `src` is absent if the file is not available. In this case `missing` is the reason, and the post
 * links to the original:
 * - "not-included": the export left it out.
 * - "too-large": it is over the size limit.
 * - "lost": the source names it, but it was not found.
 * - "pending": the download is not finished.
 * - "dropped": it was evicted. The oldest files are evicted first when the disk's quota is full; feeds of readers have
 *   a share of it. If there is also a `src`, it is a smaller picture instead of the file.
 *
 * Durations are seconds, sizes bytes. `messageId` is the id of the file's own message, also in an album. `motion` is
 * the clip of a live photo, a path like `src`.
 */
export const Media = Type.Object({
  type: Type.Enum([...MEDIA_TYPES]),
  messageId: Type.Integer(),
  src: Type.Optional(Type.String()),
  missing: Type.Optional(Type.Enum(['not-included', 'too-large', 'lost', 'pending', 'dropped'])),
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  placeholder: Type.Optional(Type.String()),
  poster: Type.Optional(StoredPicture),
  name: Type.Optional(Type.String()),
  mime: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer()),
  duration: Type.Optional(Type.Number()),
  title: Type.Optional(Type.String()),
  performer: Type.Optional(Type.String()),
  emoji: Type.Optional(Type.String()),
  spoiler: Type.Optional(Type.Boolean()),
  motion: Type.Optional(Type.String()),
});
export type Media = Static<typeof Media>;

/**
 * A reaction and its count. `emoji` is the fallback text also for custom emoji. `paid` marks Telegram's star reaction.
 */
export const Reaction = Type.Object({
  emoji: Type.String(),
  emojiId: Type.Optional(Type.String()),
  paid: Type.Optional(Type.Boolean()),
  count: Type.Integer(),
});
export type Reaction = Static<typeof Reaction>;

/** The last known state of a poll. `votes` is absent if the source did not supply it. */
export const Poll = Type.Object({
  question: Type.String(),
  closed: Type.Boolean(),
  total: Type.Optional(Type.Integer()),
  options: Type.Array(
    Type.Object({
      text: Type.String(),
      votes: Type.Optional(Type.Integer()),
      correct: Type.Optional(Type.Boolean()),
    }),
  ),
});
export type Poll = Static<typeof Poll>;

/** A venue or a location. Coordinates are in degrees; `title` and `address` are present for a venue. */
export const Venue = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  title: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
});
export type Venue = Static<typeof Venue>;

/** Origin of a forwarded post. `name` is null if the source hid it. */
export const Forward = Type.Object({
  name: Type.Union([Type.String(), Type.Null()]),
  channelId: Type.Optional(Type.String()),
  messageId: Type.Optional(Type.Integer()),
  date: Type.Optional(Type.Integer()),
});
export type Forward = Static<typeof Forward>;

/**
 * The post that this one replies to. `excerpt` is plain text of at most 120 characters, absent if that post is not
 * stored.
 */
export const Reply = Type.Object({
  id: Type.Integer(),
  channelId: Type.Optional(Type.String()),
  excerpt: Type.Optional(Type.String()),
});
export type Reply = Static<typeof Reply>;

/** A service message that is relevant to readers. */
export const Service = Type.Object({
  action: Type.Enum(['created', 'renamed', 'pinned', 'picture']),
  title: Type.Optional(Type.String()),
  messageId: Type.Optional(Type.Integer()),
});
export type Service = Static<typeof Service>;

/**
 * A post of a channel: a message, or the messages of an album as one post (`id` is the lowest of their ids, `media` has
 * one item per message).
 *
 * `date` and `edited` are unix seconds. `text` with `entities` is plain text, never markup. `extra` is an unparsed
 * `PostExtra` (extra.ts). `other` is the name of content that a source left out of the post ("unsupported"): the page
 * reports it and links to the original. `gap` counts the message ids between this post and the previous one that no
 * source accounts for: messages may be missing here. `gone` is the time at which an operator's recheck found that the
 * post was deleted at its source. `link` is the post's URL at its source, absent if it has none.
 */
export const Post = Type.Object({
  channelId: Type.String(),
  id: Type.Integer(),
  date: Type.Integer(),
  edited: Type.Optional(Type.Integer()),
  text: Type.String(),
  entities: Type.Array(Entity),
  media: Type.Array(Media),
  reactions: Type.Array(Reaction),
  author: Type.Optional(Type.String()),
  reply: Type.Optional(Reply),
  forward: Type.Optional(Forward),
  poll: Type.Optional(Poll),
  place: Type.Optional(Venue),
  contact: Type.Optional(Type.Object({ name: Type.String(), phone: Type.Optional(Type.String()) })),
  service: Type.Optional(Service),
  extra: Type.Optional(Type.Unknown()),
  other: Type.Optional(Type.String()),
  gap: Type.Optional(Type.Integer()),
  gone: Type.Optional(Type.Integer()),
  pinned: Type.Optional(Type.Boolean()),
  link: Type.Optional(Type.String()),
});
export type Post = Static<typeof Post>;
