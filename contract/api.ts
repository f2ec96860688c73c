/** Public API schemas: TypeBox schemas and types of the responses and request bodies that readers' pages use. */
import { type Static, type TSchema, Type } from 'typebox';
import { Channel } from './channel.ts';
import { MAX_KEPT_UNREAD } from './kept-unread.ts';
import { MAX_LINEUP_ENTRIES } from './limits.ts';
import { LineupEntry, MAX_EXACT_INTEGER, Presets } from './lineup.ts';
import { Post } from './post.ts';

/**
 * Creates the schema of one page of a list. `next` is the opaque cursor of the following page, null on the last page.
 */
export const page = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) });

/**
 * Filter values for posts by content. `video` also matches animations and round videos. `link` matches a web address in
 * the text or in a text link. `poll` also matches quizzes. A sticker has no kind. An album has the kinds of all its
 * files.
 */
export const POST_KINDS = ['photo', 'video', 'audio', 'voice', 'document', 'link', 'poll'] as const;
export type PostKind = (typeof POST_KINDS)[number];

/**
 * A page of posts, newest first, with the channels they belong to, so that one response is enough to render the page.
 * `previous` is the cursor towards newer posts (for `after`), null at the newest end. `hits` is present for a text
 * search: it maps `channelId/id` to the matches in the post's text, as UTF-16 offsets [start, end, start, end …], in
 * order and without overlap. A post that matched by something else (a file's name, a poll) is not in `hits`.
 */
export const PagedPosts = Type.Object({
  items: Type.Array(Post),
  next: Type.Union([Type.String(), Type.Null()]),
  previous: Type.Union([Type.String(), Type.Null()]),
  channels: Type.Array(Channel),
  hits: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Integer()))),
});
export type PagedPosts = Static<typeof PagedPosts>;

export const PagedChannels = page(Channel);
export type PagedChannels = Static<typeof PagedChannels>;

/** Response with a single post and its channel. */
export const PostResponse = Type.Object({ post: Post, channel: Channel });
export type PostResponse = Static<typeof PostResponse>;

/** An error of the API: RFC 9457 problem details (application/problem+json). */
export const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  /** Id of the request in the server's log. */
  requestId: Type.Optional(Type.String()),
});
export type Problem = Static<typeof Problem>;

/** A reader as the API returns one: the Telegram user of the launch data. `id` is a decimal string. */
export const Reader = Type.Object({
  id: Type.String(),
  name: Type.String(),
  username: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  operator: Type.Boolean(),
});
export type Reader = Static<typeof Reader>;

/**
 * Response of POST /api/telegram/auth/webapp. `expiresAt` is an ISO 8601 instant; each use of the session extends it.
 */
export const SignIn = Type.Object({
  'Access-Token': Type.String(),
  user: Reader,
  expiresAt: Type.String(),
});
export type SignIn = Static<typeof SignIn>;

/**
 * The reader's active sessions. `id` is no credential, `lastUsed` has a precision of one minute, `current` marks the
 * session of this request.
 */
export const SessionPage = Type.Object({
  items: Type.Array(Type.Object({ id: Type.String(), lastUsed: Type.String({ format: 'date-time' }), current: Type.Boolean() })),
});
export type SessionPage = Static<typeof SessionPage>;

export const Me = Type.Object({ user: Type.Union([Reader, Type.Null()]) });
export type Me = Static<typeof Me>;

/** Read marker: everything up to and including `messageId` of the channel has been read. */
export const ReadMarker = Type.Object({
  channelId: Type.String({ minLength: 1, maxLength: 64 }),
  messageId: Type.Integer({ minimum: 0, maximum: MAX_EXACT_INTEGER }),
});
export type ReadMarker = Static<typeof ReadMarker>;

/** A starred post; `at` is unix milliseconds. */
export const Star = Type.Object({
  channelId: Type.String({ minLength: 1, maxLength: 64 }),
  postId: Type.Integer({ minimum: 1, maximum: MAX_EXACT_INTEGER }),
  at: Type.Integer({ minimum: 0, maximum: MAX_EXACT_INTEGER }),
});
export type Star = Static<typeof Star>;

/** Posts that stay unread although the channel's read marker is past them, each as `channelId/postId`. */
export const KeptUnread = Type.Array(Type.String({ pattern: '^[^/]{1,64}/[0-9]{1,15}$' }), { maxItems: MAX_KEPT_UNREAD });

/** Maximum number of read markers and stars in one merge request, and that an account stores from such requests. */
export const MAX_MARKS = 1000;
export const MAX_STARS = 10_000;

/**
 * Local data of an anonymous reader that the device sends at sign-in. The server merges it once with the data of the
 * account.
 */
export const DeviceState = Type.Object({
  entries: Type.Array(LineupEntry, { maxItems: MAX_LINEUP_ENTRIES }),
  presets: Presets,
  marks: Type.Array(ReadMarker, { maxItems: MAX_MARKS }),
  stars: Type.Array(Star, { maxItems: MAX_STARS }),
  keptUnread: Type.Optional(KeptUnread),
});
export type DeviceState = Static<typeof DeviceState>;

/**
 * Number of unread posts per channel: posts newer than the read marker, or marked as unread. `count` stops at 100,
 * which means "99+".
 */
export const ChannelUnread = Type.Object({ channelId: Type.String(), count: Type.Integer() });
export type ChannelUnread = Static<typeof ChannelUnread>;
export const UnreadPage = page(ChannelUnread);
export const ReadMarkerPage = Type.Object({
  items: Type.Array(ReadMarker),
  next: Type.Union([Type.String(), Type.Null()]),
  keptUnread: Type.Optional(KeptUnread),
});
export type ReadMarkerPage = Static<typeof ReadMarkerPage>;
export const StarPage = Type.Object({
  items: Type.Array(Star),
  next: Type.Union([Type.String(), Type.Null()]),
  posts: Type.Array(Post),
  channels: Type.Array(Channel),
});
export type StarPage = Static<typeof StarPage>;
