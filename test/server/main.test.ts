// Server process: start, errors at start, output, shutdown and a full disk.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../server/storage/open.ts';
import { openSqliteDatabase } from '../../server/storage/sqlite/connection.ts';
import { until } from '../support/browser.ts';
import { fillUp, smallDisk } from '../support/small-disk.ts';
import { channel, makeFolder } from './support/make-app.ts';

const main = path.resolve(import.meta.dirname, '../../server/main.ts');
const tsx = import.meta.resolve('tsx');

interface Running {
  readonly process: ChildProcess;
  readonly output: () => string;
}

/** Starts the server from the command line. `folder` is its working directory. `file` receives its output. */
function run(t: TestContext, folder: string, environment: Record<string, string>, file?: string): Running {
  const env = { PATH: String(process.env.PATH), DATA_DIR: path.join(folder, 'data'), PORT: '0', DEMO: 'off', ...environment };
  const stdout = file === undefined ? 'pipe' : openSync(file, 'a');
  const child = spawn(process.execPath, ['--import', tsx, main], { cwd: folder, env, stdio: ['ignore', stdout, 'pipe'] });
  if (typeof stdout === 'number') closeSync(stdout);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  t.after(() => child.kill('SIGKILL'));
  return { process: child, output: () => output + (file === undefined ? '' : readFileSync(file, 'utf8')) };
}

/** Returns the address in the line that reports where the server listens. */
async function listeningAddress({ process: child, output }: Running): Promise<string> {
  for (;;) {
    const address = /^Channel Changer on (http:\/\/localhost:\d+)$/m.exec(output())?.[1];
    if (address) return address;
    assert.equal(child.exitCode, null, output());
    if (child.stdout === null) await until(async () => output() !== '' || child.exitCode !== null, 'the process writes');
    else await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
}

async function exitCode({ process: child }: Running): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

describe('the server process', () => {
  it('prints its address, logs events as JSON, responds to requests, and stops on SIGTERM', async (t) => {
    const running = run(t, makeFolder(t), {});
    const address = await listeningAddress(running);
    assert.deepEqual(await (await fetch(`${address}/api/me`)).json(), { user: null });
    const [page, broken] = [await fetch(`${address}/main`), await fetch(`${address}/%E0%A4%A`)];
    assert.deepEqual([page.status, broken.status], [200, 404]);
    running.process.kill('SIGTERM');
    assert.equal(await exitCode(running), 0);
    const lines = running.output().trim().split('\n');
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('{')),
      [`Channel Changer on ${address}`],
    );
    const messages = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line).msg);
    assert.ok(messages.some((line) => /migrated from version 0 to \d+/.test(line)));
    assert.deepEqual(messages.slice(-2), ['Stopping.', 'Stopped.']);
  });

  it('completes requests in progress, however many times it receives SIGINT or SIGTERM', async (t) => {
    const running = run(t, makeFolder(t), {});
    const { port } = new URL(await listeningAddress(running));
    const socket = connect(Number(port), 'localhost');
    let received = '';
    socket.on('data', (bytes) => (received += bytes));
    await once(socket, 'connect');
    socket.write(
      'POST /api/telegram/auth/webapp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
    );
    // The server handles the data of the first connection before it responds on a later one.
    await (await fetch(`http://localhost:${port}/healthz`)).text();
    running.process.kill('SIGINT');
    await until(async () => running.output().includes('Stopping.'), 'the server stops');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGTERM'] as const) running.process.kill(signal);
    await until(
      () =>
        fetch(`http://localhost:${port}/healthz`).then(
          () => false,
          () => true,
        ),
      'the server no longer listens',
    );
    socket.write('}');
    assert.equal(await exitCode(running), 0);
    assert.match(received, /^HTTP\/1\.1 [45]/);
    assert.equal(running.output().split('Stopping.').length, 2);
    assert.match(running.output(), /Stopped\./);
  });

  it('serves for DRAIN_SECONDS after SIGTERM while it reports that it stops, then stops listening and exits', async (t) => {
    const running = run(t, makeFolder(t), { DRAIN_SECONDS: '2' });
    const address = await listeningAddress(running);
    assert.equal((await fetch(`${address}/healthz`)).status, 200);
    const startedAt = performance.now();
    running.process.kill('SIGTERM');
    await until(async () => (await fetch(`${address}/healthz`)).status === 503, 'the process is not ready');
    assert.equal((await fetch(`${address}/api/channels`)).status, 200);
    assert.equal(await exitCode(running), 0);
    assert.ok(performance.now() - startedAt >= 2000);
    await assert.rejects(fetch(`${address}/healthz`));
    assert.match(running.output(), /Stopped\./);
  });

  it('creates the demo before it listens, and keeps the same posts at the next start', async (t) => {
    const folder = makeFolder(t);
    const first = run(t, folder, { DEMO: 'on' });
    const before = await (await fetch(`${await listeningAddress(first)}/api/feed`)).text();
    assert.match(before, /"demo":true/);
    first.process.kill('SIGTERM');
    await exitCode(first);
    const second = run(t, folder, { DEMO: 'on' });
    const address = await listeningAddress(second);
    assert.equal(await (await fetch(`${address}/api/feed`)).text(), before);
  });

  it('reports each interrupted import, only by the id of its channel', async (t) => {
    const folder = makeFolder(t);
    const store = await openStore({ dataDir: path.join(folder, 'data') });
    await store.beginImport({ ...channel('77'), title: 'Secret garden' });
    await store.beginImport(channel('78'));
    await store.completeImport('78');
    await store.close();
    const running = run(t, folder, {});
    await listeningAddress(running);
    await until(async () => /The import of channel 77 .+ again/.test(running.output()), 'the import is reported');
    assert.doesNotMatch(running.output(), /channel 78|Secret/);
  });

  it('does not start with an invalid setting, and reports which one and what it should be', async (t) => {
    const running = run(t, makeFolder(t), { BRAND_COLOR: 'teal' });
    assert.equal(await exitCode(running), 1);
    assert.equal(
      running.output(),
      'Channel Changer did not start. BRAND_COLOR is "teal"; it should be a colour such as #3a5bd9.\n',
    );
  });

  it('reads a .env file, but prefers the environment', async (t) => {
    const folder = makeFolder(t);
    writeFileSync(path.join(folder, '.env'), 'BRAND_NAME=From file\nBRAND_COLOR="#123456"\n');
    const address = await listeningAddress(run(t, folder, { BRAND_NAME: 'From environment' }));
    const page = await (await fetch(`${address}/main`)).text();
    assert.match(page, /<title>From environment<\/title>.*#123456/);
  });

  it('starts on an almost full disk, responds, and reports the disk as a failure', async (t) => {
    const disk = smallDisk(8);
    if (disk === null) return t.skip('only root may mount a disk to fill');
    t.after(disk.umount);
    const first = run(t, disk.folder, {});
    await listeningAddress(first);
    first.process.kill('SIGTERM');
    await exitCode(first);
    // The next start stores all assets again.
    const database = await openSqliteDatabase(path.join(disk.folder, 'data/changer.sqlite'));
    database.exec('DELETE FROM retained_files');
    database.exec('VACUUM');
    database.close();
    const filler = path.join(disk.folder, 'filler');
    fillUp(filler);
    // Leaves space for the files that SQLite creates next to its database.
    truncateSync(filler, statSync(filler).size - 100_000);
    const running = run(t, disk.folder, { LOG_LEVEL: 'warn' });
    const address = await listeningAddress(running);
    assert.equal((await fetch(`${address}/api/channels`)).status, 200);
    assert.deepEqual((await (await fetch(`${address}/healthz`)).json()).failed, ['disk']);
  });

  it('responds while its log is on a full disk, and continues the log when there is space again', async (t) => {
    const disk = smallDisk(1);
    if (disk === null) return t.skip('only root may mount a disk to fill');
    t.after(disk.umount);
    const [log, filler] = [path.join(disk.folder, 'log'), path.join(disk.folder, 'filler')];
    const running = run(t, makeFolder(t), { LOG_LEVEL: 'debug' }, log);
    const address = await listeningAddress(running);
    const request = async () => (await fetch(`${address}/api/version`, { signal: AbortSignal.timeout(10_000) })).status;
    fillUp(filler);
    for (let time = 0; time < 60; time += 1) assert.equal(await request(), 200);
    rmSync(filler);
    assert.equal(await request(), 200);
    running.process.kill('SIGTERM');
    assert.equal(await exitCode(running), 0);
    const lines = running.output().trim().split('\n');
    const droppedAt = lines.findIndex((line) => line.includes('"dropped"'));
    assert.ok(JSON.parse(lines[droppedAt] ?? '').dropped > 10);
    assert.deepEqual(
      lines
        .slice(droppedAt + 1)
        .map((line) => JSON.parse(line).msg)
        .slice(-2),
      ['Stopping.', 'Stopped.'],
    );
  });

  it('responds while nobody reads its output, writes the log once it is read, and responds after the output was closed', async (t) => {
    const running = run(t, makeFolder(t), { LOG_LEVEL: 'debug' });
    const address = await listeningAddress(running);
    const sendRequests = async (times: number) => {
      for (let time = 0; time < times; time += 1)
        assert.equal((await fetch(`${address}/api/version`, { signal: AbortSignal.timeout(10_000) })).status, 200);
    };
    const completedCount = () => running.output().match(/"completed"/g)?.length ?? 0;
    running.process.stdout?.pause();
    await sendRequests(1500);
    assert.ok(completedCount() < 1500, 'some log lines are not written yet');
    running.process.stdout?.resume();
    await until(async () => completedCount() === 1500, 'all log lines are written');
    running.process.stdout?.destroy();
    await sendRequests(5);
    running.process.kill('SIGTERM');
    assert.equal(await exitCode(running), 0);
  });

  it('reports in one sentence that its port is in use', async (t) => {
    const other = createServer().listen(0, 'localhost');
    await once(other, 'listening');
    t.after(() => other.close());
    const address = other.address();
    const running = run(t, makeFolder(t), { PORT: String(typeof address === 'object' ? address?.port : 0) });
    assert.equal(await exitCode(running), 1);
    assert.match(running.output(), /^Channel Changer did not start\. PORT .+ another program.+\n$/);
  });

  it('reports in one sentence that its data directory cannot be used', async (t) => {
    const folder = makeFolder(t);
    writeFileSync(path.join(folder, 'data'), 'a file');
    const running = run(t, folder, {});
    assert.equal(await exitCode(running), 1);
    assert.match(running.output(), /^Channel Changer did not start\. DATA_DIR.+\n$/);
  });

  it('reports in one sentence that its data directory cannot be created, also in /proc', async (t) => {
    for (const DATA_DIR of ['/proc/x', '/proc/x/y', '/dev/null/x']) {
      const running = run(t, makeFolder(t), { DATA_DIR });
      assert.equal(await exitCode(running), 1);
      assert.match(running.output(), /^Channel Changer did not start\. DATA_DIR: \/(proc|dev)\/.+ cannot be created: .+\n$/);
    }
  });

  it('makes its files unreadable for other users of the machine, and warns about a folder that they can read', async (t) => {
    const folder = makeFolder(t);
    const running = run(t, folder, {});
    await listeningAddress(running);
    assert.equal(statSync(path.join(folder, 'data')).mode & 0o777, 0o700);
    for (const name of readdirSync(path.join(folder, 'data')))
      assert.equal(statSync(path.join(folder, 'data', name)).mode & 0o077, 0, name);
    assert.doesNotMatch(running.output(), /other users/);
    running.process.kill('SIGTERM');
    await exitCode(running);

    chmodSync(path.join(folder, 'data'), 0o755);
    const secondRun = run(t, folder, {});
    await listeningAddress(secondRun);
    assert.match(secondRun.output(), /"level":40[^\n]+other users of this machine may read [^\n]+ \(mode 755\)/);
    secondRun.process.kill('SIGTERM');
    await exitCode(secondRun);
  });

  it('reports in one sentence that HOST is not an address of this machine', async (t) => {
    for (const HOST of ['192.0.2.1', 'nowhere.invalid']) {
      const running = run(t, makeFolder(t), { HOST });
      assert.equal(await exitCode(running), 1);
      assert.match(running.output(), /^Channel Changer did not start\. HOST .+\n$/);
    }
  });
});
