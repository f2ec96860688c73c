import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { buildApp } from './app.ts';
import { NO_MEMBERS } from './auth/members.ts';
import { openSiteKeys } from './auth/site-keys.ts';
import { startBackground } from './background.ts';
import { openBrands } from './brand.ts';
import { type Config, readConfig, readVariables } from './config.ts';
import { configWarnings } from './config-warnings.ts';
import type { Context } from './context.ts';
import { checkDataDir, openDataDir } from './data-dir.ts';
import { seedDemo } from './demo.ts';
import { explain } from './explain.ts';
import { keepAssets } from './former-assets.ts';
import { openLive } from './live/live.ts';
import { openLog, type Say } from './log.ts';
import { openGrants } from './media/grant.ts';
import { openStandardOutput } from './output.ts';
import { keepPinned } from './pinned.ts';
import { readRenderer } from './publish/renderer.ts';
import { type Bot, createBot } from './sources/bot/bot.ts';
import { publicFetcher } from './sources/feed/safe-fetch.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import { troubleOf } from './trouble.ts';
import { type Built, createWeb, readBuilt } from './web.ts';

/** The token of the development host page; it belongs to no bot. */
const DEV_TOKEN = '12345:TEST';

const passed = () => performance.now();
const development = process.argv.includes('--dev');
const root = findRoot(path.dirname(fileURLToPath(import.meta.url)));

async function start(): Promise<void> {
  const variables = readVariables();
  const config = developmentConfig(readConfig(variables));
  const log = openLog();
  for (const warning of await configWarnings(config, Object.keys(variables))) log.say(warning);
  await openDataDir(config.dataDir, log.say);
  const store = await openStore(config, log.say);
  // SQLite's database lies in the folder itself.
  if (config.databaseUrl !== null) await checkDataDir(config.dataDir, store, log.say);
  if (config.demo) await seed(store, config, log.say);
  await nameBrokenImports(store, log.say);
  const context = await contextOf(config, store, log.say);
  const output = openStandardOutput();
  const app = await buildApp(context, { level: config.logLevel, stream: output });
  const port = await listen(app, config);
  log.startOn(app.log);
  const stopBackground = startBackground(context);
  stopOnSignal(async () => {
    log.say('Stopping.', undefined, 'info');
    await Promise.all([app.close(), stopBackground()]);
    await store.close();
    log.say('Stopped.', undefined, 'info');
  });
  // For whoever started it by hand, and the only line that is no JSON.
  const name = /^(0\.0\.0\.0|::)$/.test(config.host) ? 'localhost' : config.host;
  output.write(`Channel Changer on http://${name}:${port}\n`);
}

/** Before listening, for it takes a second and no reader ever meets an empty house; a demo that fails holds up nothing. */
async function seed(store: Store, config: Config, log: Say): Promise<void> {
  await seedDemo(store, config.dataDir, path.join(root, 'demo')).catch((error: unknown) => {
    log('The demo network could not be made.', error);
  });
}

/** A new channel stays unseen, and a former one may lack posts, until somebody imports again. */
async function nameBrokenImports(store: Store, log: Say): Promise<void> {
  for (const id of await store.brokenImports())
    log(`The import of channel ${id} is not complete: unless it is still running, run it again.`);
}

/** Answers what is under way, for at most ten seconds, however often it is told to stop. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const begin = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(), 10_000).unref();
    void stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, begin);
}

async function listen(app: Awaited<ReturnType<typeof buildApp>>, config: Config): Promise<number> {
  await app.listen({ port: config.port, host: config.host, listenTextResolver: () => 'Listening.' });
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

/** The bot, where one was set up: the token of development belongs to none, unless another Bot API than Telegram's knows it. */
function botOf(config: Config, store: Store, log: Say): Bot | null {
  if (config.botToken === null || (config.botToken === DEV_TOKEN && config.botApiRoot === null)) return null;
  return createBot({ config, store, now: Date.now, passed, log });
}

async function contextOf(config: Config, store: Store, log: Say): Promise<Context> {
  const bot = botOf(config, store, log);
  const brands = await openBrands(store, config, Date.now);
  const web = createWeb(development ? freshBuilt() : fixedBuilt(config, log), brands.get, config.botApp);
  const hostPages = development ? path.join(root, 'test/host') : null;
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

const freshRenderer = () => readRenderer(path.join(root, 'dist'));

/** Does it when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function fixedBuilt(config: Config, log: Say): () => Built {
  const built = readBuilt(path.join(root, 'dist'));
  try {
    keepAssets(built, config.dataDir, Date.now());
    keepPinned(path.join(root, 'dist/pinned'), config.dataDir, Date.now());
  } catch (error) {
    // On a full disk readers are answered all the same; the next start keeps them.
    if (!(error instanceof Error) || troubleOf(error) === null) throw error;
    log('The parts of this build that outlast it could not be kept under DATA_DIR.', error);
  }
  return () => built;
}

/** Reads the build again whenever it was made anew. */
function freshBuilt(): () => Built {
  const mark = path.join(root, 'dist/build.json');
  const builtAt = () => (existsSync(mark) ? statSync(mark).mtimeMs : 0);
  let held = { at: builtAt(), built: readBuilt(path.join(root, 'dist')) };
  return () => {
    if (held.at !== builtAt()) held = { at: builtAt(), built: readBuilt(path.join(root, 'dist')) };
    return held.built;
  };
}

const developmentConfig = (config: Config): Config =>
  development && config.botToken === null ? { ...config, botToken: DEV_TOKEN } : config;

/** The project's folder, whether this runs from server/ or from dist/server/. */
function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findRoot(path.dirname(folder));
}

start().catch((error: unknown) => {
  process.stderr.write(`Channel Changer did not start. ${explain(error)}\n`);
  // What is open already, as a connection to the database, would keep the process alive without doing anything.
  process.exit(1);
});
