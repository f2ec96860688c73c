// Two machines: servers with data folders of their own, one PostgreSQL and one bucket.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Post } from '../../contract/post.ts';
import { type S3Server, startS3 } from '../server/support/s3-server.ts';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
/** Names in a data folder that nobody misses: incomplete downloads, and reports of imports. */
const DISPENSABLE = ['folder-id', 'import-remarks', 'tmp'];
/** Times after the start at which the import is killed, ms: before, while and after it writes. */
const KILL_TIMES_MS = [300, 600, 900, 1200, 1500];

interface Channel {
  readonly id: string;
  readonly title: string;
}

const readItems = async <Item>(url: string): Promise<Item[]> => {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return ((await response.json()) as { items: Item[] }).items;
};

/** Returns all paths of media in API responses. */
const mediaPathsIn = (value: unknown): string[] => [...new Set(JSON.stringify(value).match(/\/media\/[^"?]+/g))];

async function readBytes(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(url, { headers });
  assert.ok(response.ok, `${response.status} ${url}`);
  return Buffer.from(await response.arrayBuffer());
}

describe('two machines with one PostgreSQL and one bucket', { skip: noPostgres() }, () => {
  const cleanups: (() => unknown)[] = [];
  const folders: string[] = [];
  let postgres: Postgres;
  let s3: S3Server;

  before(async () => {
    postgres = await startPostgres({ durable: true });
    s3 = await startS3({ after: (end) => void cleanups.push(end as () => unknown) });
  });
  after(async () => {
    for (const end of cleanups) await end();
    await postgres.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const newFolder = () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'changer-machine-'));
    folders.push(folder);
    return folder;
  };

  /** Imports an export on a machine of its own. With `killAfterMs`, it is killed. */
  async function importExport(env: Readonly<Record<string, string>>, exportFolder: string, killAfterMs?: number): Promise<void> {
    const args = [path.join(PROJECT, 'dist/server/import.js'), path.join(PROJECT, 'demo', exportFolder)];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, DATA_DIR: newFolder() },
      stdio: 'ignore',
    });
    if (killAfterMs === undefined) return void assert.deepEqual(await once(child, 'exit'), [0, null]);
    await delay(killAfterMs);
    child.kill('SIGKILL');
  }

  /** Compares all channels, posts and media that two servers return. Returns the number of media. */
  async function compareServers(first: RunningServer, second: RunningServer): Promise<number> {
    const channels = await readItems<Channel>(`${second.origin}/api/channels`);
    assert.deepEqual(channels, await readItems<Channel>(`${first.origin}/api/channels`));
    let mediaCount = 0;
    for (const { id } of channels) {
      const address = `/api/channels/${id}/posts?limit=100`;
      const posts = await readItems<Post>(second.origin + address);
      assert.deepEqual(posts, await readItems<Post>(first.origin + address));
      for (const mediaPath of mediaPathsIn(posts)) {
        mediaCount += 1;
        assert.deepEqual(await readBytes(second.origin + mediaPath), await readBytes(first.origin + mediaPath), mediaPath);
      }
    }
    return mediaCount;
  }

  it('serve what one of them imported, and miss nothing of a deleted data folder', async (t) => {
    const env = { ...s3.environment, DATABASE_URL: await postgres.database() };
    const first = await startServer({ env });
    t.after(() => first.stop());
    const second = await startServer({ env: { ...env, DEMO: 'off' } });
    t.after(() => second.stop());
    assert.ok((await compareServers(first, second)) >= 20);
    const versions = await readBytes(`${first.origin}/elements/versions.json`);
    assert.deepEqual(await readBytes(`${second.origin}/elements/versions.json`), versions);
    assert.equal(JSON.parse(String(versions)).versions.length, 1);
    for (const { dataDir } of [first, second])
      assert.deepEqual(
        readdirSync(dataDir).filter((name) => !DISPENSABLE.includes(name)),
        [],
      );
    await first.halt('SIGKILL');
    for (const name of readdirSync(first.dataDir)) rmSync(path.join(first.dataDir, name), { recursive: true });
    await first.resume();
    assert.ok((await compareServers(second, first)) >= 20);
    const [picture = ''] = mediaPathsIn(await readItems<Post>(`${first.origin}/api/feed?limit=50&show=media`));
    const range = await readBytes(first.origin + picture, { range: 'bytes=1-9' });
    assert.deepEqual(range, (await readBytes(second.origin + picture)).subarray(1, 10));
  });

  it('have each post with its files after one was killed while it imported, and the other continued', async (t) => {
    const env = { ...s3.environment, DATABASE_URL: await postgres.database(), DEMO: 'off' };
    const server = await startServer({ env });
    t.after(() => server.stop());
    for (const killAfterMs of KILL_TIMES_MS) {
      await importExport(env, 'harbour-gazette', killAfterMs);
      // A channel is visible only when it is complete, and then with all files.
      for (const { id } of await readItems<Channel>(`${server.origin}/api/channels`))
        for (const mediaPath of mediaPathsIn(await readItems<Post>(`${server.origin}/api/channels/${id}/posts?limit=100`)))
          await readBytes(server.origin + mediaPath);
    }
    await importExport(env, 'harbour-gazette');
    const channels = await readItems<Channel>(`${server.origin}/api/channels`);
    assert.equal(channels.length, 1);
    const posts = await readItems<Post>(`${server.origin}/api/channels/${channels[0]?.id}/posts?limit=100`);
    assert.ok(posts.length >= 20, `${posts.length} posts`);
    const mediaPaths = mediaPathsIn(posts);
    assert.ok(mediaPaths.length > 0);
    for (const mediaPath of mediaPaths) await readBytes(server.origin + mediaPath);
  });
});
