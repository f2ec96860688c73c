import { type Static, Type } from 'typebox';
import { page } from './api.ts';
import { Channel } from './channel.ts';
import { FEED_FAILURES, FILE_FAILURES } from './failures.ts';
import { Post } from './post.ts';

const Count = Type.Integer({ minimum: 0 });
/** Unix seconds. */
const Time = Type.Integer({ minimum: 0 });

/**
 * How the bot stands to a channel. `asking`: the bot was added by someone who is no operator of this site, and an operator has
 * to accept. `leaving`: disconnected, and until `undoUntil` it can be taken back. `rights` and `missingRights` are spelled as in
 * the Bot API (`can_post_messages`); `since` is when the status came to be what it is, `reason` says why in one sentence.
 */
export const Connection = Type.Object({
  status: Type.Enum(['connected', 'lost', 'asking', 'leaving']),
  rights: Type.Array(Type.String()),
  missingRights: Type.Array(Type.String()),
  since: Time,
  reason: Type.Optional(Type.String()),
  connectedBy: Type.Optional(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) })),
  lastUpdate: Type.Optional(Time),
  /** When deleted posts were last looked for. */
  checkedAt: Type.Optional(Time),
  undoUntil: Type.Optional(Time),
});
export type Connection = Static<typeof Connection>;

/**
 * How a feed is doing: when it was last asked and is due again, how many times in a row it failed, and why: `error` in English, `code`
 * for pages to translate, `status` where its server answered one.
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

/** A reason of files that could not be fetched: in English, and as a code for pages to translate. */
export const FileReason = Type.Object({
  code: Type.Enum([...FILE_FAILURES]),
  reason: Type.String(),
  status: Type.Optional(Count),
  count: Count,
});
export type FileReason = Static<typeof FileReason>;

/** Files that wait to be fetched, and that could not be; `reasons` counts the failures by their reason, and so does `failures`. */
export const FileCounts = Type.Object({
  waiting: Count,
  failed: Count,
  reasons: Type.Optional(Type.Record(Type.String(), Count)),
  failures: Type.Optional(Type.Array(FileReason)),
});
export type FileCounts = Static<typeof FileCounts>;

/**
 * A channel as its operator sees it. `messages` counts what is kept, `hidden` the hidden posts, `missing` the messages that no
 * source explains, `storage` bytes of kept files, `parked` updates that wait to be put in their place.
 */
export const OperatorChannel = Type.Object({
  channel: Channel,
  connection: Type.Optional(Connection),
  feed: Type.Optional(FeedHealth),
  messages: Count,
  hidden: Count,
  missing: Count,
  storage: Count,
  files: FileCounts,
  parked: Type.Optional(Count),
});
export type OperatorChannel = Static<typeof OperatorChannel>;

/** How updates come from Telegram: `absent` without a BOT_TOKEN; `detail` says what failed and what to do. */
export const BotHealth = Type.Object({
  type: Type.Enum(['absent', 'webhook', 'polling', 'failed']),
  username: Type.Optional(Type.String()),
  since: Type.Optional(Time),
  lastUpdate: Type.Optional(Time),
  detail: Type.Optional(Type.String()),
});
export type BotHealth = Static<typeof BotHealth>;

/** Bytes: kept files, what they may take together (0: no limit), and what the disk has left. */
export const StorageUse = Type.Object({ used: Count, quota: Count, free: Type.Optional(Count) });
export type StorageUse = Static<typeof StorageUse>;

/** Updates of the bot that could not be read, for an operator of the site: how many are kept, and the reasons of the newest. */
export const BadUpdates = Type.Object({
  count: Count,
  newest: Type.Array(Type.Object({ updateId: Type.Integer(), reason: Type.String() })),
});
export type BadUpdates = Static<typeof BadUpdates>;

/** Answer of GET /api/operator/rights: the channels whose posts the reader may hide; `all` for an operator of the site. */
export const Rights = Type.Object({ all: Type.Boolean(), channels: Type.Array(Type.String()) });
export type Rights = Static<typeof Rights>;

/**
 * Answer of GET /api/operator/channels: all channels for an operator of the site, else those that the reader administers. Those
 * that readers added are in none of these but, for an operator of the site, in that of `?elsewhere=true`.
 * `paused` says why no files are fetched just now, `pausedCode` the same as a code; `badUpdates` is there where there are some.
 */
export const OperatorOverview = Type.Object({
  channels: Type.Array(OperatorChannel),
  bot: BotHealth,
  /** True where the reader may begin to connect a channel. */
  mayConnect: Type.Boolean(),
  storage: StorageUse,
  queue: FileCounts,
  paused: Type.Optional(Type.String()),
  pausedCode: Type.Optional(Type.Enum([...FILE_FAILURES])),
  badUpdates: Type.Optional(BadUpdates),
});
export type OperatorOverview = Static<typeof OperatorOverview>;

/**
 * Answer of POST /api/operator/connect: `prepared` is the id of a request prepared for the native picker (requestChat), null
 * where it cannot be had; `link` opens the way by a https://t.me address.
 */
export const ConnectAnswer = Type.Object({ prepared: Type.Union([Type.String(), Type.Null()]), link: Type.String() });
export type ConnectAnswer = Static<typeof ConnectAnswer>;

/** Body of POST /api/operator/channels/{id}/disconnect: whether what was kept stays with readers. */
export const Disconnect = Type.Object({ keep: Type.Boolean() });
export type Disconnect = Static<typeof Disconnect>;

/** Body of POST /api/operator/feeds, and of a reader's POST /api/feeds; the answer is the Channel that the feed became. */
export const AddFeed = Type.Object({ url: Type.String({ minLength: 1, maxLength: 2000 }) });
export type AddFeed = Static<typeof AddFeed>;

/**
 * A site's leave to show private channels: its server signs grants with the secret that goes with `id`, and tags on pages of
 * `origin` bring them. `channels` are ids, `at` is when it was made.
 */
export const SiteKey = Type.Object({ id: Type.String(), origin: Type.String(), channels: Type.Array(Type.String()), at: Time });
export type SiteKey = Static<typeof SiteKey>;

export const SiteKeyPage = page(SiteKey);
export type SiteKeyPage = Static<typeof SiteKeyPage>;

/** Body of POST /api/operator/site-keys; channels by id or username. */
export const NewSiteKey = Type.Object({
  origin: Type.String({ minLength: 1, maxLength: 300 }),
  channels: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 20 }),
});
export type NewSiteKey = Static<typeof NewSiteKey>;

/** A key as it was made, with its secret: no other answer ever has that. */
export const MadeSiteKey = Type.Object({ ...SiteKey.properties, secret: Type.String() });
export type MadeSiteKey = Static<typeof MadeSiteKey>;

/** What an operator can do; each is written down in the audit. */
export const ACTS = [
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
 * Who did what, and when. `actor.name` is absent once that reader was erased, or where no reader acted but Telegram told of it.
 * `channelTitle` is the channel's title at that time; `detail` is a post's id, a feed's address, a brand's name, a site's origin. The
 * actor of what the command `npm run import` did is `import`.
 */
export const Act = Type.Object({
  id: Type.Integer(),
  at: Time,
  actor: Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) }),
  act: Type.Enum([...ACTS]),
  channelId: Type.Optional(Type.String()),
  channelTitle: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
});
export type Act = Static<typeof Act>;

export const ActPage = page(Act);
export type ActPage = Static<typeof ActPage>;

/** A post that readers do not get, and since when. */
export const HiddenPost = Type.Object({ post: Post, channel: Channel, at: Time });
export type HiddenPost = Static<typeof HiddenPost>;
export const HiddenPage = page(HiddenPost);
export type HiddenPage = Static<typeof HiddenPage>;

/** A place where posts may be missing: `missing` message ids before the post `messageId` that nothing explains. */
export const Gap = Type.Object({ channelId: Type.String(), messageId: Type.Integer(), missing: Count });
export type Gap = Static<typeof Gap>;
export const GapPage = page(Gap);
export type GapPage = Static<typeof GapPage>;

/** The longest logo, in bytes. */
export const LOGO_BYTES = 512 * 1024;

/**
 * Body of PUT /api/operator/brand; `name` has 1 to 60 characters. `logo` is base64 of a PNG, JPEG or WebP image; absent leaves the logo as
 * it is, null takes it away.
 */
export const BrandChange = Type.Object({
  name: Type.String(),
  color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }),
  logo: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type BrandChange = Static<typeof BrandChange>;

/** The brand as it stands; `logo` is a path on the API's host; `changed` where it is not the settings' own. */
export const BrandAnswer = Type.Object({
  name: Type.String(),
  color: Type.String(),
  logo: Type.Optional(Type.String()),
  changed: Type.Boolean(),
});
export type BrandAnswer = Static<typeof BrandAnswer>;
