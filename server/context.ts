import type { SiteKeys } from './auth/site-keys.ts';
import type { Brands } from './brand.ts';
import type { Config } from './config.ts';
import type { Live } from './live/live.ts';
import type { Say } from './log.ts';
import type { Grants } from './media/grant.ts';
import type { Renderer } from './publish/rendering.ts';
import type { Bot } from './sources/bot/bot.ts';
import type { FetchPublic } from './sources/feed/safe-fetch.ts';
import type { Store } from './store/store.ts';
import type { Web } from './web.ts';

/** What the server's parts work with; made once in main.ts, and by each test. */
export interface Context {
  readonly config: Config;
  readonly store: Store;
  readonly grants: Grants;
  /** Secrets of the keys by which sites show private channels. */
  readonly siteKeys: SiteKeys;
  readonly brands: Brands;
  /** Who listens to what happens. */
  readonly live: Live;
  /** The bot of BOT_TOKEN; null without one. */
  readonly bot: Bot | null;
  /** The channels that a reader administers, by their ids, as Telegram reports. */
  readonly administered: (readerId: string) => Promise<readonly string[]>;
  /** The same for every reader who signs in, with one question for each channel; see Members.operated. */
  readonly operated: (readerId: string) => Promise<readonly string[]>;
  /** Fetches what strangers name; only a test's may reach this machine. */
  readonly fetchPublic: FetchPublic;
  /** The built app as it is now: operators change its brand, and in development it changes itself. */
  readonly web: () => Web;
  /** What draws pages, as it was built; null where it was not. */
  readonly renderer: () => Promise<Renderer | null>;
  /** Milliseconds; a test's own clock. */
  readonly now: () => number;
  /** Milliseconds since any moment, by a measure that nobody sets: for how long something lasts. */
  readonly passed: () => number;
  /** Writes down what happens beside the answers to requests. */
  readonly log: Say;
  /** Folder of the page that holds the app as Telegram's web client does; null outside development. */
  readonly hostPages: string | null;
}
