import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openSiteKeys, type SiteKeys } from './auth/site-grants.ts';
import type { Config } from './config.ts';
import { type Live, openLive } from './events/event-hub.ts';
import { troubleOf } from './lib/infrastructure-errors.ts';
import type { Say } from './lib/logger.ts';
import { type Grants, openGrants } from './media/signed-urls.ts';
import { readRenderer } from './publishing/pages/load-renderer.ts';
import type { Renderer } from './publishing/pages/renderer-api.ts';
import { type FetchPublic, publicFetcher } from './sources/fetch/safe-fetch.ts';
import { type Bot, createBot } from './sources/telegram/bot.ts';
import { NO_MEMBERS } from './sources/telegram/members.ts';
import type { Store } from './storage/ports/store.ts';
import { type Brands, openBrands } from './web/brand.ts';
import { keepAssets, keepPinned } from './web/retained-files.ts';
import { type Built, createWeb, readBuilt, type Web } from './web/web-app.ts';

/**
 * Service wiring: all services, created once at start and by each test. Only `main.ts`, `app.ts` and tests know all of them; a
 * module declares the ones that it uses.
 */
export interface Services {
  readonly config: Config;
  readonly store: Store;
  readonly grants: Grants;
  /** Derives the secrets of the keys with which sites show private channels. */
  readonly siteKeys: SiteKeys;
  readonly brands: Brands;
  /** Event hub: the clients that subscribe to events. */
  readonly live: Live;
  /** The bot of BOT_TOKEN; null without one. */
  readonly bot: Bot | null;
  /** Returns the ids of the channels that a reader administers, according to Telegram. */
  readonly administered: (readerId: string) => Promise<readonly string[]>;
  /** The same for all readers who sign in, with one request for each channel; see `Members.operated`. */
  readonly operated: (readerId: string) => Promise<readonly string[]>;
  /** Fetches URLs from untrusted input. Only a test's implementation may reach this machine. */
  readonly fetchPublic: FetchPublic;
  /**
   * Returns the current built app. It changes when an operator changes the brand and, in development, when the app is rebuilt.
   */
  readonly web: () => Web;
  /** Server-side renderer of pages, from the build; null if it was not built. */
  readonly renderer: () => Promise<Renderer | null>;
  /** Returns the current time, unix milliseconds. A test passes its own clock. */
  readonly now: () => number;
  /** Monotonic clock, ms since an arbitrary moment, to measure durations. Setting the system clock does not affect it. */
  readonly passed: () => number;
  /** Logs events outside the handling of requests. */
  readonly log: Say;
  /** Directory of the host page that frames the app as Telegram's web client does; null outside development. */
  readonly hostPages: string | null;
}

/** Bot token for the development host page; it belongs to no bot. */
export const DEV_TOKEN = '12345:TEST';

const passed = () => performance.now();

/**
 * Creates the bot if one is configured. The development token belongs to no bot, unless a Bot API server other than Telegram's
 * knows it.
 */
function botOf(config: Config, store: Store, log: Say): Bot | null {
  if (config.botToken === null || (config.botToken === DEV_TOKEN && config.botApiRoot === null)) return null;
  return createBot({ config, store, now: Date.now, passed, log });
}

/** Directory of the build, and whether this is a development server, which reads the build again when it changes. */
interface Environment {
  readonly root: string;
  readonly development: boolean;
}

/** Creates the services. Apart from tests, nothing else wires them. */
export async function createServices(
  config: Config,
  store: Store,
  log: Say,
  { root, development }: Environment,
): Promise<Services> {
  const bot = botOf(config, store, log);
  const brands = await openBrands(store, config, Date.now);
  const web = createWeb(development ? freshBuilt(root) : fixedBuilt(root, config, log), brands.get, config.botApp);
  const hostPages = development ? path.join(root, 'test/host') : null;
  const freshRenderer = () => readRenderer(path.join(root, 'dist'));
  const renderer = development ? freshRenderer : once(freshRenderer);
  const grants = await openGrants(store);
  const siteKeys = await openSiteKeys(store);
  const live = await openLive({ store, grants, now: Date.now, passed, log });
  return {
    config,
    store,
    grants,
    siteKeys,
    brands,
    live,
    web,
    renderer,
    hostPages,
    bot,
    administered: (bot?.members ?? NO_MEMBERS).administered,
    operated: (bot?.members ?? NO_MEMBERS).operated,
    fetchPublic: publicFetcher(),
    now: Date.now,
    passed,
    log,
  };
}

/** Returns a lazy, memoized `make`. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function fixedBuilt(root: string, config: Config, log: Say): () => Built {
  const built = readBuilt(path.join(root, 'dist'));
  try {
    keepAssets(built, config.dataDir, Date.now());
    keepPinned(path.join(root, 'dist/pinned'), config.dataDir, Date.now());
  } catch (error) {
    // On a full disk the server still starts and responds to readers. The next start retains these files.
    if (!(error instanceof Error) || troubleOf(error) === null) throw error;
    log('The parts of this build that outlast it could not be kept under DATA_DIR.', error);
  }
  return () => built;
}

/** Reads the build again after each rebuild. */
function freshBuilt(root: string): () => Built {
  const mark = path.join(root, 'dist/build.json');
  const builtAt = () => (existsSync(mark) ? statSync(mark).mtimeMs : 0);
  let held = { at: builtAt(), built: readBuilt(path.join(root, 'dist')) };
  return () => {
    if (held.at !== builtAt()) held = { at: builtAt(), built: readBuilt(path.join(root, 'dist')) };
    return held.built;
  };
}
