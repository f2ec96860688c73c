import { type Static, type TSchema, Type } from 'typebox';
import { Channel } from './channel.ts';
import { MAX_KEPT_UNREAD } from './kept-unread.ts';
import { MOST_ENTRIES } from './limits.ts';
import { EXACT, LineupEntry, Presets } from './lineup.ts';
import { Post } from './post.ts';

/** A page of a list; `next` is the opaque cursor of the page after it, null on the last. */
export const page = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) });

/**
 * The kinds of posts that can be asked for, by what they hold: `video` is also an animation and a round video, `link` a web
 * address in the text or behind its words, `poll` also a quiz. A sticker is of no kind; an album is of all its files' kinds.
 */
export const POST_KINDS = ['photo', 'video', 'audio', 'voice', 'document', 'link', 'poll'] as const;
export type PostKind = (typeof POST_KINDS)[number];

/**
 * A page of posts, newest first, with the channels they belong to, so that one answer can be drawn.
 * `previous` is the cursor towards newer posts (for `after`), null at the newest end. `hits` says, where words were asked for,
 * what matched in the posts' texts: by `channelId/id` the UTF-16 offsets [start, end, start, end …], in order and apart. A post
 * that was found by something else (a file's name, a poll) is not in it.
 */
export const PostPage = Type.Object({
  items: Type.Array(Post),
  next: Type.Union([Type.String(), Type.Null()]),
  previous: Type.Union([Type.String(), Type.Null()]),
  channels: Type.Array(Channel),
  hits: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Integer()))),
});
export type PostPage = Static<typeof PostPage>;

export const ChannelPage = page(Channel);
export type ChannelPage = Static<typeof ChannelPage>;

/** One post alone, with its channel. */
export const PostAnswer = Type.Object({ post: Post, channel: Channel });
export type PostAnswer = Static<typeof PostAnswer>;

/** An error of the API, RFC 9457 (application/problem+json). */
export const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  /** The request's name in the server's log. */
  requestId: Type.Optional(Type.String()),
});
export type Problem = Static<typeof Problem>;

/** A reader as the API shows one: the Telegram user of the launch data. `id` is a decimal string. */
export const Reader = Type.Object({
  id: Type.String(),
  name: Type.String(),
  username: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  operator: Type.Boolean(),
});
export type Reader = Static<typeof Reader>;

/** Answer of POST /api/telegram/auth/webapp; `expiresAt` is an ISO 8601 instant that slides with use. */
export const SignIn = Type.Object({
  'Access-Token': Type.String(),
  user: Reader,
  expiresAt: Type.String(),
});
export type SignIn = Static<typeof SignIn>;

/** Where a reader is signed in; `id` opens nothing, `lastUsed` is true to the minute, `current` is the session that asks. */
export const SessionPage = Type.Object({
  items: Type.Array(Type.Object({ id: Type.String(), lastUsed: Type.String({ format: 'date-time' }), current: Type.Boolean() })),
});
export type SessionPage = Static<typeof SessionPage>;

export const Me = Type.Object({ user: Type.Union([Reader, Type.Null()]) });
export type Me = Static<typeof Me>;

/** Everything up to and with `messageId` of the channel has been read. */
export const Mark = Type.Object({
  channelId: Type.String({ minLength: 1, maxLength: 64 }),
  messageId: Type.Integer({ minimum: 0, maximum: EXACT }),
});
export type Mark = Static<typeof Mark>;

/** A starred post; `at` is unix milliseconds. */
export const Star = Type.Object({
  channelId: Type.String({ minLength: 1, maxLength: 64 }),
  postId: Type.Integer({ minimum: 1, maximum: EXACT }),
  at: Type.Integer({ minimum: 0, maximum: EXACT }),
});
export type Star = Static<typeof Star>;

/** Posts that stay unread although their channel's mark has passed them, each as `channelId/postId`. */
export const KeptUnread = Type.Array(Type.String({ pattern: '^[^/]{1,64}/[0-9]{1,15}$' }), { maxItems: MAX_KEPT_UNREAD });

/** The most marks and stars that a device hands over, and that an account has of what devices handed over. */
export const MOST_MARKS = 1000;
export const MOST_STARS = 10_000;

/** What an anonymous reader's device hands over at sign-in: united with what the account has, once. */
export const Merge = Type.Object({
  entries: Type.Array(LineupEntry, { maxItems: MOST_ENTRIES }),
  presets: Presets,
  marks: Type.Array(Mark, { maxItems: MOST_MARKS }),
  stars: Type.Array(Star, { maxItems: MOST_STARS }),
  keptUnread: Type.Optional(KeptUnread),
});
export type Merge = Static<typeof Merge>;

/** Posts newer than a mark or kept unread, per channel: `count` stops at 100, which means "99+". */
export const Unread = Type.Object({ channelId: Type.String(), count: Type.Integer() });
export type Unread = Static<typeof Unread>;
export const UnreadPage = page(Unread);
export const MarkPage = Type.Object({
  items: Type.Array(Mark),
  next: Type.Union([Type.String(), Type.Null()]),
  keptUnread: Type.Optional(KeptUnread),
});
export type MarkPage = Static<typeof MarkPage>;
export const StarPage = Type.Object({
  items: Type.Array(Star),
  next: Type.Union([Type.String(), Type.Null()]),
  posts: Type.Array(Post),
  channels: Type.Array(Channel),
});
export type StarPage = Static<typeof StarPage>;
