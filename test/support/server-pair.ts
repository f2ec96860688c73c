// Pair of servers for tests: two processes with data folders of their own behind nginx, one PostgreSQL database and one bucket.
// With TEST_SERVERS=pair, all end-to-end tests run against such pairs in place of single processes.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type S3Server, startS3 } from '../server/support/s3-server.ts';
import { until } from './browser.ts';
import { freePort } from './free-port.ts';
import { frameNginx, NGINX_PROGRAM } from './nginx.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type ServerOptions, type ServerProcess, startProcess } from './server-process.ts';

/** Returns whether a test's server is to be a pair. A test that selects its own storage uses single processes. */
export const isPairWanted = ({ env = {}, isSingle }: ServerOptions): boolean =>
  process.env.TEST_SERVERS === 'pair' && isSingle !== true && env.DATABASE_URL === undefined && env.S3_BUCKET === undefined;

/** Storage that the pairs of a test file share. */
interface Storage {
  readonly postgres: Postgres;
  readonly s3: S3Server;
  readonly cleanups: (() => unknown)[];
}

let storage: Promise<Storage> | undefined;
let pairs = 0;
/** Environment of a pair, which selects its database and the prefix of its files, by the data folder of its first process. */
const environments = new Map<string, Promise<Readonly<Record<string, string>>>>();

/** Starts a pair. A second pair on the same data folder uses the same database. */
export async function startPair(dataDir: string, options: ServerOptions): Promise<ServerProcess> {
  pairs += 1;
  storage ??= startStorage();
  const environment = environments.get(dataDir) ?? createEnvironment(await storage);
  environments.set(dataDir, environment);
  const pairOptions = { ...options, env: { ...options.env, ...(await environment) } };
  const secondDir = mkdtempSync(join(tmpdir(), 'changer-test-second-'));
  // The first process creates the tables.
  const first = await startProcess(dataDir, pairOptions);
  const second = await startProcess(secondDir, pairOptions);
  const proxy = await startProxy([first.origin, second.origin]);
  return {
    origin: proxy.origin,
    databaseUrl: pairOptions.env.DATABASE_URL,
    async halt(signal) {
      await proxy.halt();
      await Promise.all([first.halt(signal), second.halt(signal)]);
    },
    async resume() {
      await Promise.all([first.resume(), second.resume()]);
      await proxy.resume();
    },
    async release() {
      rmSync(secondDir, { recursive: true, force: true });
      await proxy.release();
      pairs -= 1;
      if (pairs > 0 || storage === undefined) return;
      const { postgres, cleanups } = await storage;
      storage = undefined;
      environments.clear();
      for (const end of cleanups) await end();
      await postgres.stop();
    },
  };
}

async function startStorage(): Promise<Storage> {
  const cleanups: (() => unknown)[] = [];
  const [postgres, s3] = await Promise.all([
    startPostgres({ durable: false }),
    startS3({ after: (end) => void cleanups.push(end as () => unknown) }),
  ]);
  return { postgres, s3, cleanups };
}

async function createEnvironment({ postgres, s3 }: Storage): Promise<Readonly<Record<string, string>>> {
  return { ...s3.environment, S3_PREFIX: `pair-${environments.size}/`, DATABASE_URL: await postgres.database() };
}

/**
 * Starts nginx on a free port in front of these origins. Consecutive requests go to different processes, as behind a load
 * balancer that knows nothing of the site. (deploy/nginx.conf sends all requests of an address to one process.)
 */
export async function startProxy(upstreams: readonly string[]): Promise<ServerProcess & { release(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'changer-proxy-'));
  const port = await freePort();
  const servers = upstreams.map((origin) => `server 127.0.0.1:${new URL(origin).port} max_fails=0;`);
  const configuration = frameNginx(
    folder,
    `access_log off; error_log ${join(folder, 'error.log')}; upstream pair { ${servers.join(' ')} }
    server { listen 127.0.0.1:${port}; client_max_body_size 0;
    location / { proxy_pass http://pair; proxy_http_version 1.1; proxy_set_header Connection '';
    proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_buffering off; proxy_request_buffering off; proxy_read_timeout 1h; } }`,
  );
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const origin = `http://localhost:${port}`;
  let child: ChildProcess | undefined;
  const resume = async () => {
    child ??= spawn(NGINX_PROGRAM, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await until(
      () =>
        fetch(`${origin}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'the pair answers',
    );
  };
  await resume();
  return {
    origin,
    resume,
    async halt() {
      if (child === undefined) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
      child = undefined;
    },
    async release() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
