/** Entry point: starts the server, listens, and shuts down on SIGTERM and SIGINT. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApp } from './app.ts';
import { describeError } from './cli/explain-error.ts';
import { type Config, readConfig, readEnvironmentVariables } from './config.ts';
import { findConfigWarnings } from './config-warnings.ts';
import { startBackgroundJobs } from './jobs/start.ts';
import { createBufferedLogger, type LogFn } from './lib/logger.ts';
import type { MediaStore } from './media/media-store.ts';
import { checkMediaStore, openMediaStore } from './media/open-media-store.ts';
import { openStandardOutput } from './observability/stdout.ts';
import { createServices, DEV_TOKEN } from './services.ts';
import { seedDemo } from './sources/demo.ts';
import { checkDataDir, openDataDir } from './storage/data-dir.ts';
import { openStore } from './storage/open.ts';
import type { Store } from './storage/ports/store.ts';

const isDevelopment = process.argv.includes('--dev');
/** Time after a signal and the drain time within which requests can finish, ms. Then the process exits. */
const SHUTDOWN_TIMEOUT_MS = 10_000;
const projectRoot = findProjectRoot(path.dirname(fileURLToPath(import.meta.url)));

async function start(): Promise<void> {
  const variables = readEnvironmentVariables();
  const config = withDevelopmentToken(readConfig(variables));
  const log = createBufferedLogger();
  for (const warning of await findConfigWarnings(config, Object.keys(variables))) log.say(warning);
  await openDataDir(config.dataDir, log.say);
  const mediaStore = await openMediaStore(config);
  await checkMediaStore(mediaStore, log.say);
  const store = await openStore(config, log.say);
  // SQLite's database is in that directory itself, so the check is only for PostgreSQL.
  if (config.databaseUrl !== null && config.s3 === null) await checkDataDir(config.dataDir, store, log.say);
  if (config.demo) await seedDemoNetwork(store, mediaStore, log.say);
  await warnAboutIncompleteImports(store, log.say);
  const services = await createServices(config, { store, mediaStore }, log.say, {
    root: projectRoot,
    development: isDevelopment,
  });
  const output = openStandardOutput();
  const app = await buildApp(services, { level: config.logLevel, stream: output });
  const port = await listen(app, config);
  log.startOn(app.log);
  const stopBackground = startBackgroundJobs(services);
  stopOnSignal(config.drainMs, async () => {
    log.say('Stopping.', undefined, 'info');
    // Background work stops at once, so that another process takes it over, for example the updates from Telegram.
    await Promise.all([app.drain(config.drainMs).then(() => app.close()), stopBackground()]);
    await store.close();
    log.say('Stopped.', undefined, 'info');
  });
  // For a person who starts the server by hand. This is the only line that is not JSON.
  const displayHost = /^(0\.0\.0\.0|::)$/.test(config.host) ? 'localhost' : config.host;
  output.write(`Channel Changer on http://${displayHost}:${port}\n`);
}

/**
 * Creates the demo before listening, so that no reader sees an empty site. It takes a second. The server starts even if
 * it fails.
 */
async function seedDemoNetwork(store: Store, mediaStore: MediaStore, log: LogFn): Promise<void> {
  await seedDemo(store, mediaStore, path.join(projectRoot, 'demo')).catch((error: unknown) => {
    log('Could not create the demo network.', error);
  });
}

/**
 * Logs incomplete imports. Until the import is run again, a new channel stays hidden and an existing one may lack
 * posts.
 */
async function warnAboutIncompleteImports(store: Store, log: LogFn): Promise<void> {
  for (const id of await store.incompleteImports())
    log(`The import of channel ${id} is incomplete: run it again, unless it is still running.`);
}

/**
 * Shuts down on a signal: after the drain time, finishes the requests in progress within at most ten seconds. Repeated
 * signals are ignored.
 */
function stopOnSignal(drainMs: number, stop: () => Promise<void>): void {
  let isStopping = false;
  const stopOnce = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(), drainMs + SHUTDOWN_TIMEOUT_MS).unref();
    void stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stopOnce);
}

async function listen(app: Awaited<ReturnType<typeof buildApp>>, config: Config): Promise<number> {
  await app.listen({ port: config.port, host: config.host, listenTextResolver: () => 'Listening.' });
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

const withDevelopmentToken = (config: Config): Config =>
  isDevelopment && config.botToken === null ? { ...config, botToken: DEV_TOKEN } : config;

/** Returns the project's directory, for `server/` and for `dist/server/`. */
function findProjectRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findProjectRoot(path.dirname(folder));
}

start().catch((error: unknown) => {
  process.stderr.write(`Channel Changer did not start. ${describeError(error)}\n`);
  // Open handles, such as a database connection, would keep the process alive without doing anything.
  process.exit(1);
});
