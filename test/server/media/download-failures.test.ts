// Failures of media downloads: broken connections, wrong content, and garbage collection of files.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { startGarbageCollection } from '../../../server/jobs/start.ts';
import { FileSourceError } from '../../../server/media/file-source.ts';
import { mediaPath, thumbnailName } from '../../../server/media/files.ts';
import { collectGarbage, HOUR_MS } from '../../../server/media/garbage-collection.ts';
import { saveMediaFile } from '../../../server/media/save-file.ts';
import { createThumbnails } from '../../../server/media/thumbnails.ts';
import { createBotApi } from '../../../server/sources/telegram/client.ts';
import { createBotFileSource } from '../../../server/sources/telegram/file-source.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { TEST_TOKEN } from '../../bot-api/bot-api.ts';
import { until } from '../../support/browser.ts';
import { startDrip } from '../support/drip-server.ts';
import { makeFolder, message } from '../support/make-app.ts';
import { incomingFilesOf, photo, post, start, videoBytes } from './download-fixture.ts';

describe('download failures', () => {
  it('discards a download that is cut midway, and fetches the complete file the next time', async (t) => {
    const bytes = videoBytes(3_000_000);
    const drip = await startDrip(t, bytes, 1_000_000, (response, download) =>
      download < 3 ? response.destroy() : response.end(bytes.subarray(1_000_000)),
    );
    const { store, dataDir, fetcher, mediaOf, waitUntilStored } = await start(t);
    const source = createBotFileSource(createBotApi({ botToken: TEST_TOKEN, botApiRoot: drip.root }), null);
    await store.putMessages([post(1, { file_id: 'drip', file_unique_id: 'drip' }, 'video')]);
    fetcher({ source }).start();
    await waitUntilStored(1);
    assert.equal(drip.downloads(), 3);
    assert.deepEqual(readFileSync(mediaPath(dataDir, (await mediaOf(1))?.src?.slice(7) ?? '')), bytes);
    assert.deepEqual(incomingFilesOf(dataDir), []);
  });

  it('never serves a partial file after its process was killed; another process fetches the file', async (t) => {
    const bytes = videoBytes(3_000_000);
    const drip = await startDrip(t, bytes, 1_000_000, (response, download) => {
      if (download > 1) response.end(bytes.subarray(1_000_000));
    });
    const { store, dataDir, fetcher, mediaOf, waitUntilStored } = await start(t);
    await store.putMessages([post(1, { file_id: 'drip', file_unique_id: 'drip' }, 'video')]);
    const script = join(import.meta.dirname, 'fetch-in-child.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir, drip.root, TEST_TOKEN], { stdio: 'ignore' });
    const written = () =>
      incomingFilesOf(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, 'media/incoming', name)).size, 0);
    await until(async () => existsSync(join(dataDir, 'media/incoming')) && written() >= 1_000_000, 'half of it is there');
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal((await mediaOf(1))?.missing, 'pending');
    assert.deepEqual(readdirSync(join(dataDir, 'media')), ['incoming']);
    const source = createBotFileSource(createBotApi({ botToken: TEST_TOKEN, botApiRoot: drip.root }), null);
    fetcher({ source }).start();
    await waitUntilStored(1);
    assert.deepEqual(readFileSync(mediaPath(dataDir, (await mediaOf(1))?.src?.slice(7) ?? '')), bytes);
  });

  it('pauses while the disk is full, and resumes when there is free space', async (t) => {
    const folder = makeFolder(t);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]);
    if (mounted.status !== 0) return t.skip('a small disk cannot be mounted here');
    try {
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(1_500_000));
      await fillsDisk(t, folder);
    } finally {
      spawnSync('umount', ['-l', folder]);
    }
  });

  const fillsDisk = async (t: TestContext, dataDir: string) => {
    const { telegram, store, fetcher, waitUntilStored, lines } = await start(t, { maxTries: 1 }, dataDir);
    await store.putMessages([post(1, telegram.files.add(videoBytes(1_400_000), 'mp4'), 'video')]);
    const running = fetcher();
    running.start();
    await until(async () => (await running.status()).paused === 'the disk is full', 'the status contains the reason');
    assert.deepEqual((await running.status()).queue, { waiting: 1, failed: 0 });
    assert.deepEqual(incomingFilesOf(dataDir), []);
    rmSync(join(dataDir, 'ballast'));
    await waitUntilStored(1);
    await until(async () => (await running.status()).paused === null, 'downloads continue');
    assert.match(lines[0] ?? '', /^Downloads are paused: the disk is full\.$/);
    await running.stop();
    await store.close();
  };

  it('fetches nothing when the disk is nearly full', async (t) => {
    const { telegram, store, fetcher } = await start(t, { freeBytes: Number.MAX_SAFE_INTEGER });
    await store.putMessages([post(1, telegram.files.add(await photo(), 'jpg'))]);
    const running = fetcher();
    running.start();
    await until(async () => (await running.status()).paused === 'the disk is nearly full', 'the status contains the reason');
    assert.deepEqual(telegram.calls, []);
  });
});

describe('the file source of the bot', () => {
  const signal = new AbortController().signal;
  const problem = async (attempt: Promise<unknown>): Promise<string> => {
    const found = await attempt.then(
      () => null,
      (error: unknown) => error,
    );
    assert.ok(found instanceof FileSourceError, String(found));
    assert.doesNotMatch(inspect(found, { depth: 9, showHidden: true }), /7000000001|AAFtest/);
    return found.message;
  };

  it('throws no error that contains the token', async (t) => {
    const { telegram, bot } = await start(t);
    const source = createBotFileSource(bot, null);
    const unreachableSource = createBotFileSource(
      createBotApi({ botToken: telegram.token, botApiRoot: 'http://127.0.0.1:9' }),
      null,
    );
    assert.equal(await problem(unreachableSource.download('photos/x.jpg', signal)), 'Telegram could not be reached');
    telegram.fail('file', 'reset');
    assert.equal(await problem(source.download('photos/x.jpg', signal)), 'Telegram could not be reached');
    assert.equal(await problem(source.download('photos/none.jpg', signal)), 'Telegram does not have this file');
    for (const code of [400, 401, 403]) {
      telegram.fail('getFile', { code, description: `Not with ${telegram.token}` });
      await problem(source.locateFile('x', signal));
    }
    assert.equal(await problem(source.locateFile('x', AbortSignal.abort())), 'the request was cancelled');
  });

  it('requests no path outside of the files', async (t) => {
    const { telegram, bot } = await start(t);
    for (const path of ['photos/../../getMe', 'photos/x?y', '..', 'a\\b', 'a#b'])
      assert.match(await problem(createBotFileSource(bot, null).download(path, signal)), /cannot be requested/);
    assert.deepEqual(telegram.calls, []);
  });

  it('reads from the disk of a Bot API server only if that is allowed, and only inside its folder', async (t) => {
    const { bot } = await start(t);
    const [folder, otherFolder] = [makeFolder(t), makeFolder(t)];
    mkdirSync(join(folder, 'videos'));
    const insidePath = join(folder, 'videos/1.mp4');
    for (const filePath of [insidePath, join(otherFolder, 'secret')]) writeFileSync(filePath, 'bytes');
    symlinkSync(join(otherFolder, 'secret'), join(folder, 'link'));
    assert.match(await problem(createBotFileSource(bot, null).download(insidePath, signal)), /set BOT_API_FILES/);
    const source = createBotFileSource(bot, folder);
    const read: Buffer[] = [];
    for await (const chunk of await source.download(insidePath, signal)) read.push(Buffer.from(chunk));
    assert.equal(Buffer.concat(read).toString(), 'bytes');
    for (const filePath of [join(otherFolder, 'secret'), join(folder, 'link'), `${folder}/../x`, folder, '/etc/passwd'])
      assert.match(await problem(source.download(filePath, signal)), /outside of BOT_API_FILES|does not have this file/);
  });
});

describe('garbage collection of unused files', () => {
  const age = (filePath: string) => utimesSync(filePath, 1000, 1000);

  it('deletes only old and unused files, their thumbnails and stray files', async (t) => {
    const { store, mediaStore, dataDir } = await start(t);
    const saveFile = async (bytes: Buffer) => (await saveMediaFile(bytes, { mediaStore, store })).file;
    const [shown, hidden, unused, fresh] = [
      await saveFile(await photo()),
      await saveFile(await photo()),
      await saveFile(await photo()),
      await saveFile(await photo()),
    ];
    const sizes = createThumbnails({ mediaStore, store });
    for (const file of [shown, unused]) await sizes.getOrRender(file, 320);
    await store.putMessages([
      message('1', 1, '', [{ type: 'photo', messageId: 1, src: `/media/${shown.key}` }]),
      message('1', 2, '', [{ type: 'photo', messageId: 2, src: `/media/${hidden.key}` }]),
    ]);
    await store.hidePost('1', 2, 500);
    const strayThumbnail = mediaPath(dataDir, shown.key.replace(/.{8}\.jpg$/, '00000000.jpg'));
    writeFileSync(strayThumbnail, 'x');
    const at = (key: string) => mediaPath(dataDir, key);
    const small = (key: string) => mediaPath(dataDir, thumbnailName(key, 320));
    for (const filePath of [
      ...[shown, hidden, unused].map(({ key }) => at(key)),
      small(shown.key),
      small(unused.key),
      strayThumbnail,
    ])
      age(filePath);
    assert.equal(await collectGarbage({ mediaStore, store }), 2);
    for (const filePath of [at(shown.key), at(hidden.key), at(fresh.key), small(shown.key)])
      assert.ok(existsSync(filePath), filePath);
    for (const filePath of [at(unused.key), small(unused.key), strayThumbnail]) assert.ok(!existsSync(filePath), filePath);
    assert.equal(await store.mediaFile(unused.key), null);
  });

  it('stops only after the running collection has ended', async (t) => {
    const { store, mediaStore, lines } = await start(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const steps = new EventEmitter();
    const [listingStarted, released] = [once(steps, 'begun'), once(steps, 'released')];
    const reads: string[] = [];
    const fileKeysWithPrefix: Store['fileKeysWithPrefix'] = async (prefix) => {
      reads.push(prefix);
      steps.emit('begun');
      await released;
      return store.fileKeysWithPrefix(prefix);
    };
    const stop = startGarbageCollection({ mediaStore, store: { ...store, fileKeysWithPrefix } }, (line) => void lines.push(line));
    t.mock.timers.tick(HOUR_MS);
    await listingStarted;
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isStopped, false);
    steps.emit('released');
    await stopped;
    assert.deepEqual([reads, lines], [['00'], []]);
  });
});
