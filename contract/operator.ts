/** Operators' API schemas: TypeBox schemas and types of the admin endpoints under /api/operator. */
import { type Static, Type } from 'typebox';
import { page } from './api.ts';
import { Channel } from './channel.ts';
import { FEED_FAILURES, FILE_FAILURES } from './failures.ts';
import { MAX_FEED_URL_LENGTH } from './limits.ts';
import { Post } from './post.ts';

const Count = Type.Integer({ minimum: 0 });
/** Unix seconds. */
const Time = Type.Integer({ minimum: 0 });

/**
 * The bot's connection to a channel. `asking`: a person who is not an operator of this site added the bot, and an
 * operator has to accept it. `leaving`: disconnected, and the disconnection can be undone until `undoUntil`. `rights`
 * and `missingRights` are spelled as in the Bot API (`can_post_messages`). `since` is the time of the last change of
 * the status; `reason` explains it in one sentence.
 */
export const BotConnection = Type.Object({
  status: Type.Enum(['connected', 'lost', 'asking', 'leaving']),
  rights: Type.Array(Type.String()),
  missingRights: Type.Array(Type.String()),
  since: Time,
  reason: Type.Optional(Type.String()),
  connectedBy: Type.Optional(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) })),
  lastUpdate: Type.Optional(Time),
  /** Time of the last check for deleted posts. */
  checkedAt: Type.Optional(Time),
  undoUntil: Type.Optional(Time),
});
export type BotConnection = Static<typeof BotConnection>;

/**
 * Health of a feed: time of the last fetch and of the next one, number of consecutive failures, and their reason.
 * `error` is in English, `code` is for pages to translate, `status` is the HTTP status if the feed's server returned
 * one.
 */
export const FeedHealth = Type.Object({
  url: Type.String(),
  checkedAt: Type.Optional(Time),
  due: Type.Optional(Time),
  failures: Count,
  error: Type.Optional(Type.String()),
  code: Type.Optional(Type.Enum([...FEED_FAILURES])),
  status: Type.Optional(Count),
});
export type FeedHealth = Static<typeof FeedHealth>;

/** Reason why files could not be fetched: in English, and as a code for pages to translate. */
export const FileReason = Type.Object({
  code: Type.Enum([...FILE_FAILURES]),
  reason: Type.String(),
  status: Type.Optional(Count),
  count: Count,
});
export type FileReason = Static<typeof FileReason>;

/**
 * Numbers of files that wait to be fetched and of files whose fetch failed. Both `reasons` and `failures` count the
 * failures by reason.
 */
export const FileCounts = Type.Object({
  waiting: Count,
  failed: Count,
  reasons: Type.Optional(Type.Record(Type.String(), Count)),
  failures: Type.Optional(Type.Array(FileReason)),
});
export type FileCounts = Static<typeof FileCounts>;

/**
 * A channel as its operator sees it. `messages` counts the stored messages, `hidden` the hidden posts, `missing` the
 * message ids that no source accounts for, `storage` the bytes of stored files, `parked` the updates that wait to be
 * applied.
 */
export const OperatorChannel = Type.Object({
  channel: Channel,
  connection: Type.Optional(BotConnection),
  feed: Type.Optional(FeedHealth),
  messages: Count,
  hidden: Count,
  missing: Count,
  storage: Count,
  files: FileCounts,
  parked: Type.Optional(Count),
});
export type OperatorChannel = Static<typeof OperatorChannel>;

/**
 * How the server receives updates from Telegram. `absent` means that there is no BOT_TOKEN. `detail` describes the
 * failure and its remedy.
 */
export const BotHealth = Type.Object({
  type: Type.Enum(['absent', 'webhook', 'polling', 'failed']),
  username: Type.Optional(Type.String()),
  since: Type.Optional(Time),
  lastUpdate: Type.Optional(Time),
  detail: Type.Optional(Type.String()),
});
export type BotHealth = Static<typeof BotHealth>;

/** Bytes: size of the stored files, their quota (0: no limit), and the free space of the disk. */
export const StorageUse = Type.Object({ used: Count, quota: Count, free: Type.Optional(Count) });
export type StorageUse = Static<typeof StorageUse>;

/**
 * Updates of the bot that could not be parsed, for an operator of the site: how many are stored, and the reasons of the
 * newest.
 */
export const BadUpdates = Type.Object({
  count: Count,
  newest: Type.Array(Type.Object({ updateId: Type.Integer(), reason: Type.String() })),
});
export type BadUpdates = Static<typeof BadUpdates>;

/**
 * Numbers of notifications, for an operator of the site: readers and anonymous devices with a choice, devices with Web
 * Push, notifications that wait, and those that were sent or failed in the last 30 days.
 */
export const NotificationFigures = Type.Object({
  subscribers: Count,
  devices: Count,
  waiting: Count,
  sent: Count,
  failed: Count,
});
export type NotificationFigures = Static<typeof NotificationFigures>;

/**
 * Response of GET /api/operator/rights: the channels whose posts the reader may hide; `all` for an operator of the
 * site.
 */
export const Rights = Type.Object({ all: Type.Boolean(), channels: Type.Array(Type.String()) });
export type Rights = Static<typeof Rights>;

/**
 * Response of GET /api/operator/channels: all channels for an operator of the site, otherwise the channels that the
 * reader administers. Feeds that readers added are only in the response to `?elsewhere=true`, and only for an operator
 * of the site. `notifications` is only for an operator of the site, and absent if they are turned off. `paused` is the
 * reason why file downloads are paused at present, `pausedCode` the same as a code.
 * `badUpdates` is absent if there are none.
 */
export const OperatorOverview = Type.Object({
  channels: Type.Array(OperatorChannel),
  bot: BotHealth,
  /** True if the reader may start to connect a channel. */
  mayConnect: Type.Boolean(),
  storage: StorageUse,
  queue: FileCounts,
  paused: Type.Optional(Type.String()),
  pausedCode: Type.Optional(Type.Enum([...FILE_FAILURES])),
  badUpdates: Type.Optional(BadUpdates),
  notifications: Type.Optional(NotificationFigures),
});
export type OperatorOverview = Static<typeof OperatorOverview>;

/**
 * Response of POST /api/operator/connect. `prepared` is the id of a request prepared for the native picker
 * (requestChat), or null if it is not available. `link` is the https://t.me address that does the same.
 */
export const ConnectResponse = Type.Object({ prepared: Type.Union([Type.String(), Type.Null()]), link: Type.String() });
export type ConnectResponse = Static<typeof ConnectResponse>;

/** Body of POST /api/operator/channels/{id}/disconnect: `keep` is true if stored posts stay visible to readers. */
export const Disconnect = Type.Object({ keep: Type.Boolean() });
export type Disconnect = Static<typeof Disconnect>;

/**
 * Body of POST /api/operator/feeds, and of a reader's POST /api/feeds. The response is the Channel created for the
 * feed.
 */
export const AddFeed = Type.Object({ url: Type.String({ minLength: 1, maxLength: MAX_FEED_URL_LENGTH }) });
export type AddFeed = Static<typeof AddFeed>;

/**
 * Permission of a site to show private channels. The site's server signs access tokens with the secret that belongs to
 * `id`, and tags on pages of `origin` send them. `channels` are ids, `at` is the creation time.
 */
export const SiteKey = Type.Object({ id: Type.String(), origin: Type.String(), channels: Type.Array(Type.String()), at: Time });
export type SiteKey = Static<typeof SiteKey>;

export const SiteKeyPage = page(SiteKey);
export type SiteKeyPage = Static<typeof SiteKeyPage>;

/** Body of POST /api/operator/site-keys. `channels` are ids or usernames. */
export const NewSiteKey = Type.Object({
  origin: Type.String({ minLength: 1, maxLength: 300 }),
  channels: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 20 }),
});
export type NewSiteKey = Static<typeof NewSiteKey>;

/** A newly created key with its secret. No other response contains the secret. */
export const CreatedSiteKey = Type.Object({ ...SiteKey.properties, secret: Type.String() });
export type CreatedSiteKey = Static<typeof CreatedSiteKey>;

/** Actions of operators; each is recorded in the audit log. */
export const AUDIT_ACTIONS = [
  'connect',
  'disconnect',
  'reconnect',
  'accept',
  'decline',
  'recheck',
  'add-feed',
  'hide',
  'restore',
  'brand',
  'brand-reset',
  'import',
  'site-key',
  'site-key-revoke',
  'remove-demo',
] as const;

/**
 * Audit event: an action, its actor and its time. `actor.name` is absent if that reader was erased, or if the event
 * came from Telegram and not from a reader. `channelTitle` is the channel's title at that time. `detail` is a post's
 * id, a feed's URL, a brand's name or a site's origin. The actor of the command `npm run import` is `import`.
 */
export const AuditEntry = Type.Object({
  id: Type.Integer(),
  at: Time,
  actor: Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) }),
  act: Type.Enum([...AUDIT_ACTIONS]),
  channelId: Type.Optional(Type.String()),
  channelTitle: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = page(AuditEntry);
export type AuditPage = Static<typeof AuditPage>;

/** A post that is hidden from readers, and the time at which it was hidden. */
export const HiddenPost = Type.Object({ post: Post, channel: Channel, at: Time });
export type HiddenPost = Static<typeof HiddenPost>;
export const HiddenPage = page(HiddenPost);
export type HiddenPage = Static<typeof HiddenPage>;

/**
 * A gap in a channel: `missing` message ids before the post `messageId` that no source accounts for. Posts may be
 * missing there.
 */
export const Gap = Type.Object({ channelId: Type.String(), messageId: Type.Integer(), missing: Count });
export type Gap = Static<typeof Gap>;
export const GapPage = page(Gap);
export type GapPage = Static<typeof GapPage>;

/** Maximum size of a logo, in bytes. */
export const MAX_LOGO_BYTES = 512 * 1024;

/**
 * Body of PUT /api/operator/brand. `name` has 1 to 60 characters. `logo` is a PNG, JPEG or WebP image in base64. If it
 * is absent the logo does not change; null removes it.
 */
export const BrandChange = Type.Object({
  name: Type.String(),
  color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }),
  logo: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type BrandChange = Static<typeof BrandChange>;

/**
 * The current brand. `logo` is a path on the API's host. `changed` is true if the brand differs from the one in the
 * settings.
 */
export const BrandResponse = Type.Object({
  name: Type.String(),
  color: Type.String(),
  logo: Type.Optional(Type.String()),
  changed: Type.Boolean(),
});
export type BrandResponse = Static<typeof BrandResponse>;
