// Test server: creates the app with its own store, and the channels, sign-ins and builds for tests.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { sign } from '@telegram-apps/init-data-node';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { PagedPosts } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Media } from '../../../contract/post.ts';
import { buildApp } from '../../../server/app.ts';
import { openSiteKeySecrets } from '../../../server/auth/site-grants.ts';
import { readConfig } from '../../../server/config.ts';
import type { Message } from '../../../server/domain/model.ts';
import { createEventHub } from '../../../server/events/event-hub.ts';
import type { App } from '../../../server/http/request.ts';
import { mediaOriginOf } from '../../../server/http/security-headers.ts';
import { createBufferedLogger } from '../../../server/lib/logger.ts';
import type { MediaStore } from '../../../server/media/media-store.ts';
import { openMediaStore } from '../../../server/media/open-media-store.ts';
import { openUrlSigner } from '../../../server/media/signed-urls.ts';
import { createNotificationService } from '../../../server/notifications/service.ts';
import type { Services } from '../../../server/services.ts';
import { createBot } from '../../../server/sources/telegram/bot.ts';
import { openStore } from '../../../server/storage/open.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { openBrandStore } from '../../../server/web/brand.ts';
import { createWebApp, readBuiltApp } from '../../../server/web/web-app.ts';
import { testPost } from '../notifications/push-service.ts';
import { testFetcher } from '../sources/rss/feed-server.ts';

export const BOT_TOKEN = '12345:TEST';

/**
 * A server with its own store in a new folder. Both are removed after the test. `clock.now` moves its time, and `ahead` is the
 * error of its clock.
 */
export interface TestApp {
  readonly app: App;
  readonly store: Store;
  readonly mediaStore: MediaStore;
  readonly context: Services;
  readonly dataDir: string;
  readonly clock: { now: number; ahead: number };
  readonly lines: string[];
  /** The channels that readers administer, by the id of the reader. */
  readonly administered: Map<string, readonly string[]>;
}

export async function makeApp(
  t: Pick<TestContext, 'after'>,
  environment: Record<string, string> = {},
  dist?: string,
): Promise<TestApp> {
  const dataDir = makeFolder(t);
  const config = readConfig({ DATA_DIR: dataDir, BOT_TOKEN, ...environment });
  const store = await openStore({ dataDir });
  const mediaStore = await openMediaStore(config);
  const clock = { now: Date.now(), ahead: 0 };
  const [now, passed] = [() => clock.now + clock.ahead, () => clock.now];
  const brands = await openBrandStore(store, config, now);
  const built = readBuiltApp(dist ?? makeDist(t));
  const administered = new Map<string, readonly string[]>();
  const grants = await openUrlSigner(store);
  const siteKeys = await openSiteKeySecrets(store);
  const lines: string[] = [];
  // Only a test that starts a Bot API double has a bot. No test may call the real Telegram.
  const { say, startOn } = createBufferedLogger();
  const bot = config.botApiRoot === null ? null : createBot({ config, store, now, elapsed: passed, log: say });
  const eventHub = await createEventHub({ store, urlSigner: grants, now, elapsed: passed, log: say });
  const notifications = config.notifications
    ? await createNotificationService({ config, store, urlSigner: grants, bot, postPublic: testPost(), now, log: say })
    : null;
  const context: Services = {
    config,
    store,
    mediaStore,
    urlSigner: grants,
    siteKeySecrets: siteKeys,
    brands,
    eventHub,
    bot,
    administeredChannels: async (readerId) => administered.get(readerId) ?? bot?.members.administeredChannels(readerId) ?? [],
    operatedChannels: async (readerId) => administered.get(readerId) ?? bot?.members.administeredChannelsCached(readerId) ?? [],
    fetchPublic: testFetcher(),
    notifications,
    renderer: async () => null,
    web: createWebApp(() => built, brands.get, config.botApp, mediaOriginOf(config)),
    now,
    elapsed: passed,
    log: say,
    devHostFolder: null,
  };
  const stream = { write: (line: string) => void lines.push(line) };
  // A test keeps its process busier than real readers do. No request is rejected for that reason.
  const calm = { level: () => 0, trackRequest: () => () => {}, stop: () => {} };
  const app = await buildApp(context, { level: 'trace', stream }, calm);
  startOn(app.log);
  t.after(async () => {
    await Promise.all([app.close(), bot?.stop(), notifications?.stop()]);
    await store.close();
  });
  return { app, store, mediaStore, context, dataDir, clock, lines, administered };
}

export function makeFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'changer-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const INLINE_HASH = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** Creates a minimal build with the structure that build.mjs creates. */
export function makeDist(t: Pick<TestContext, 'after'>): string {
  const dist = makeFolder(t);
  const files: Record<string, string> = {
    'web/index.html': '<!doctype html><html><head><!--brand--></head><body><div id="q-app"></div></body></html>',
    'web/sw.js': 'const shell = "__SHELL__";',
    'web/manifest.webmanifest': JSON.stringify({ name: 'x', start_url: '/main', icons: [] }),
    'web/assets/app-AAAA1111.js': `export const app = ${JSON.stringify('a'.repeat(3000))};`,
    'web/elements/changer-feed.js': 'import "../assets/app-AAAA1111.js";',
    'web/icons/icon-192.png': 'not really a picture',
    'build.json': JSON.stringify({
      version: '1.2.3+abc',
      scriptHashes: [INLINE_HASH],
      chunks: { 'changer-feed': ['feed-1.js', 'posts-1.js'], 'changer-not-found': ['lost-1.js'], 'changer-layout': [] },
      assets: ['app-AAAA1111.js'],
    }),
  };
  for (const [name, body] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dist, name)), { recursive: true });
    writeFileSync(path.join(dist, name), body);
  }
  return dist;
}

/** Returns launch data as Telegram would sign it. This is an implementation independent of the server. */
export function launchData(
  id: number,
  options: { name?: string; at?: number; token?: string; startParam?: string } = {},
): string {
  const { name = `Reader ${id}`, at = Date.now(), token = BOT_TOKEN, startParam } = options;
  const user = { id, first_name: name, language_code: 'en' };
  return sign({ user, query_id: 'AAA', signature: 'c2ln', ...(startParam && { start_param: startParam }) }, token, new Date(at));
}

const Token = Type.Object({ 'Access-Token': Type.String() });

/** Signs a reader in. Returns the headers of the session. */
export async function signIn({ app, clock }: TestApp, id: number, token = BOT_TOKEN): Promise<{ 'access-token': string }> {
  const payload = { initData: launchData(id, { at: clock.now, token }) };
  const response = await app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload });
  return { 'access-token': Value.Parse(Token, response.json())['Access-Token'] };
}

/** Signs a reader in to a server in another process. Returns the headers of the session. */
export async function signInAt(origin: string, id: number, token = BOT_TOKEN): Promise<{ 'access-token': string }> {
  const body = JSON.stringify({ initData: launchData(id, { token }) });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}/api/telegram/auth/webapp`, { method: 'POST', headers, body });
  return { 'access-token': Value.Parse(Token, await response.json())['Access-Token'] };
}

export function channel(id: string, more: Partial<Channel> = {}): Channel {
  return { id, title: `Channel ${id}`, source: 'export', state: 'live', private: false, demo: false, ...more };
}

export function message(
  channelId: string,
  id: number,
  text: string,
  media: readonly Media[] = [],
  date = 1_700_000_000 + id * 60,
): Message {
  return { post: { channelId, id, date, text, entities: [], reactions: [] }, media, source: 'export', modifiedAt: date };
}

/** Stores a channel and its posts 1 to `count`. */
export async function fill(store: Store, of: Channel, count: number): Promise<void> {
  await store.putChannel(of);
  await store.putMessages(
    Array.from({ length: count }, (_, index) => message(of.id, index + 1, `Post ${index + 1} of ${of.title}`)),
  );
}

/** Creates a server with 50 posts of channel 1 (alpha), 5 of channel 2, and 3 of the private channel 9 (secret). */
export async function withChannels(t: Pick<TestContext, 'after'>, environment: Record<string, string> = {}): Promise<TestApp> {
  const testApp = await makeApp(t, environment);
  await fill(testApp.store, channel('1', { username: 'alpha' }), 50);
  await fill(testApp.store, channel('2'), 5);
  await fill(testApp.store, channel('9', { private: true, username: 'secret' }), 3);
  return testApp;
}

/** Returns a page of posts. Fails if the response is not 200. */
export async function getPage({ app }: TestApp, url: string, headers: Record<string, string> = {}): Promise<PagedPosts> {
  const response = await app.inject({ url, headers });
  assert.equal(response.statusCode, 200, response.body);
  return response.json();
}

export const idsOf = (page: PagedPosts): number[] => page.items.map((post) => post.id);
