import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openSiteKeySecrets, type SiteKeySecrets } from './auth/site-grants.ts';
import type { Config } from './config.ts';
import { createEventHub, type EventHub } from './events/event-hub.ts';
import { mediaOriginOf } from './http/security-headers.ts';
import { classifyFailure } from './lib/infrastructure-errors.ts';
import type { LogFn } from './lib/logger.ts';
import type { MediaStore } from './media/media-store.ts';
import { openUrlSigner, type UrlSigner } from './media/signed-urls.ts';
import { createNotificationService, type NotificationService } from './notifications/service.ts';
import { loadRenderer } from './publishing/pages/load-renderer.ts';
import type { Renderer } from './publishing/pages/renderer-api.ts';
import { createPublicFetch, type FetchPublic } from './sources/fetch/safe-fetch.ts';
import { createPublicPost } from './sources/fetch/safe-post.ts';
import { type Bot, createBot } from './sources/telegram/bot.ts';
import { NO_MEMBERS } from './sources/telegram/members.ts';
import type { Store } from './storage/ports/store.ts';
import { type BrandStore, openBrandStore } from './web/brand.ts';
import { moveRetainedFolders } from './web/move-retained-folders.ts';
import { retainAssets, retainVersions } from './web/retained-files.ts';
import { type BuiltApp, createWebApp, readBuiltApp, type WebApp } from './web/web-app.ts';

/**
 * Service wiring: all services, created once at start and by each test. Only `main.ts`, `app.ts` and tests know all of
 * them; a module declares the ones that it uses.
 */
export interface Services {
  readonly config: Config;
  readonly store: Store;
  /** Place of the media files: a folder or a bucket. */
  readonly mediaStore: MediaStore;
  readonly urlSigner: UrlSigner;
  /** Derives the secrets of the keys with which sites show private channels. */
  readonly siteKeySecrets: SiteKeySecrets;
  readonly brands: BrandStore;
  /** Event hub: the clients that subscribe to events. */
  readonly eventHub: EventHub;
  /** The bot of BOT_TOKEN; null without one. */
  readonly bot: Bot | null;
  /** Returns the ids of the channels that a reader administers, according to Telegram. */
  readonly administeredChannels: (readerId: string) => Promise<readonly string[]>;
  /** Returns the same ids at a lower cost, for every reader who signs in; see `Members.operatedChannels`. */
  readonly operatedChannels: (readerId: string) => Promise<readonly string[]>;
  /**
   * Fetches URLs from untrusted input, on the public internet only. A test's implementation may also reach this
   * machine.
   */
  readonly fetchPublic: FetchPublic;
  /** Notifications of new posts; null if they are turned off. */
  readonly notifications: NotificationService | null;
  /**
   * Returns the current built app. It changes when an operator changes the brand and, in development, when the app is
   * rebuilt.
   */
  readonly web: () => WebApp;
  /** Server-side renderer of pages, from the build; null if it was not built. */
  readonly renderer: () => Promise<Renderer | null>;
  /** Returns the current time, unix milliseconds. A test passes its own clock. */
  readonly now: () => number;
  /**
   * Monotonic clock, ms since an arbitrary moment, to measure durations. Setting the system clock does not affect it.
   */
  readonly elapsed: () => number;
  /** Logs events outside the handling of requests. */
  readonly log: LogFn;
  /** Directory of the host page that frames the app as Telegram's web client does; null outside development. */
  readonly devHostFolder: string | null;
}

/** Bot token for the development host page; it belongs to no bot. */
export const DEV_TOKEN = '12345:TEST';

const elapsed = () => performance.now();

/**
 * Creates the bot if one is configured. The development token belongs to no bot, unless a Bot API server other than
 * Telegram's knows it.
 */
function createConfiguredBot(config: Config, store: Store, log: LogFn): Bot | null {
  if (config.botToken === null || (config.botToken === DEV_TOKEN && config.botApiRoot === null)) return null;
  return createBot({ config, store, now: Date.now, elapsed, log });
}

/** Directory of the build, and whether this is a development server, which reads the build again when it changes. */
interface ServiceOptions {
  readonly root: string;
  readonly development: boolean;
}

/** Creates the services. Apart from tests, nothing else wires them. */
export async function createServices(
  config: Config,
  { store, mediaStore }: Pick<Services, 'store' | 'mediaStore'>,
  log: LogFn,
  { root, development }: ServiceOptions,
): Promise<Services> {
  const bot = createConfiguredBot(config, store, log);
  const brands = await openBrandStore(store, config, Date.now);
  const web = createWebApp(
    development ? createReloadingBuild(root) : await loadFixedBuild(root, config, store, log),
    brands.get,
    config.botApp,
    mediaOriginOf(config),
  );
  const devHostFolder = development ? path.join(root, 'test/host') : null;
  const loadCurrentRenderer = () => loadRenderer(path.join(root, 'dist'));
  const renderer = development ? loadCurrentRenderer : lazy(loadCurrentRenderer);
  const urlSigner = await openUrlSigner(store);
  const siteKeySecrets = await openSiteKeySecrets(store);
  const eventHub = await createEventHub({ store, urlSigner, now: Date.now, elapsed, log });
  const now = Date.now;
  const notifications = config.notifications
    ? await createNotificationService({ config, store, urlSigner, bot, postPublic: createPublicPost(), now, log })
    : null;
  // Posts of the time in which notifications are off are never reported.
  if (notifications === null) await store.resetNotifications();
  return {
    config,
    store,
    mediaStore,
    urlSigner,
    siteKeySecrets,
    brands,
    eventHub,
    web,
    renderer,
    devHostFolder,
    bot,
    administeredChannels: (bot?.members ?? NO_MEMBERS).administeredChannels,
    operatedChannels: (bot?.members ?? NO_MEMBERS).administeredChannelsCached,
    fetchPublic: createPublicFetch(),
    notifications,
    now,
    elapsed,
    log,
  };
}

/** Returns a function that calls `create` once and caches the result. */
function lazy<Value>(create: () => Value): () => Value {
  let cached: { readonly value: Value } | null = null;
  return () => {
    cached ??= { value: create() };
    return cached.value;
  };
}

async function loadFixedBuild(root: string, { dataDir }: Config, store: Store, log: LogFn): Promise<() => BuiltApp> {
  const built = readBuiltApp(path.join(root, 'dist'));
  try {
    const movedCount = await moveRetainedFolders(dataDir, store, Date.now());
    if (movedCount > 0) log(`Moved ${movedCount} assets and pinned tags of previous builds from DATA_DIR into the database.`);
    await retainAssets(built, store, Date.now());
    await retainVersions(path.join(root, 'dist/pinned'), store, Date.now());
  } catch (error) {
    // On a full disk the server still starts and responds to readers. The next start retains these files.
    if (!(error instanceof Error) || classifyFailure(error) === null) throw error;
    log('Could not store the assets and pinned versions of this build.', error);
  }
  return () => built;
}

/** Reads the build again after each rebuild. */
function createReloadingBuild(root: string): () => BuiltApp {
  const buildFile = path.join(root, 'dist/build.json');
  const builtAt = () => (existsSync(buildFile) ? statSync(buildFile).mtimeMs : 0);
  let current = { at: builtAt(), built: readBuiltApp(path.join(root, 'dist')) };
  return () => {
    if (current.at !== builtAt()) current = { at: builtAt(), built: readBuiltApp(path.join(root, 'dist')) };
    return current.built;
  };
}
