// Move of media files between a folder and a bucket, in both directions, with a kill in the middle.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readConfig } from '../../../server/config.ts';
import { mediaPath, thumbnailName } from '../../../server/media/files.ts';
import type { MediaStore } from '../../../server/media/media-store.ts';
import { openMediaStore } from '../../../server/media/open-media-store.ts';
import { until } from '../../support/browser.ts';
import { makeFolder } from '../support/make-app.ts';
import { startS3 } from '../support/s3-server.ts';
import { namesIn, readAll, saveBytes } from './media-store-conformance.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../server/cli/move.ts');
const FILES = 60;

const setUp = async (t: TestContext) => {
  const [s3, dataDir] = [await startS3(t), makeFolder(t)];
  const environment = { DATA_DIR: dataDir, ...s3.environment };
  const config = readConfig(environment);
  const places = { DATA_DIR: await openMediaStore({ dataDir }), S3_BUCKET: await openMediaStore(config) };
  const startMove = (from: string, to: string) => {
    const args = ['--import', 'tsx', PROGRAM, '--media', '--from', from, '--to', to];
    const child = spawn(process.execPath, args, { env: { PATH: String(process.env.PATH), ...environment } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
    return { child, ended };
  };
  return { s3, dataDir, places, startMove };
};

const contentOf = async (mediaStore: MediaStore) => {
  const files: Record<string, string> = {};
  for (const name of await namesIn(mediaStore)) files[name] = String((await readAll(mediaStore, name))?.toString('base64'));
  return files;
};

describe('npm run move -- --media', () => {
  for (const [from, to] of [
    ['DATA_DIR', 'S3_BUCKET'],
    ['S3_BUCKET', 'DATA_DIR'],
  ] as const)
    it(`moves everything from ${from} to ${to}, also if it is killed in the middle`, async (t) => {
      const { places, startMove } = await setUp(t);
      for (let file = 0; file < FILES; file += 1) {
        await saveBytes(places[from], randomBytes(50_000), 'jpg');
        if (file % 10 === 0) await saveBytes(places[from], randomBytes(2000), 'bin');
      }
      const before = await contentOf(places[from]);
      const first = startMove(from, to);
      await until(async () => (await namesIn(places[to])).length > 5, 'some files have arrived');
      first.child.kill('SIGKILL');
      await first.ended;
      const arrived = await namesIn(places[to]);
      assert.ok(arrived.length < Object.keys(before).length, 'the move was killed in the middle');
      const { code, output } = await startMove(from, to).ended;
      assert.equal(code, 0, output);
      assert.match(output, new RegExp(`compared ${Object.keys(before).length}, `));
      assert.deepEqual(await contentOf(places[to]), before);
      assert.deepEqual(await contentOf(places[from]), before, 'the source keeps its files');
    });

  it('replaces a damaged file of the same size, and reports a file that does not match its name', async (t) => {
    const { dataDir, places, startMove } = await setUp(t);
    const good = await saveBytes(places.S3_BUCKET, Buffer.from('good'), 'jpg');
    const small = thumbnailName(good, 320);
    const bad = await saveBytes(places.S3_BUCKET, Buffer.from('bad'), 'jpg');
    await saveBytes(places.DATA_DIR, Buffer.from('good'), 'jpg');
    writeFileSync(mediaPath(dataDir, good), 'evil');
    writeFileSync(join(dataDir, 'x'), 'smaller');
    await places.S3_BUCKET.save(join(dataDir, 'x'), small);
    await places.S3_BUCKET.delete([bad]);
    writeFileSync(join(dataDir, 'x'), 'bat');
    await places.S3_BUCKET.save(join(dataDir, 'x'), bad);
    const { code, output } = await startMove('S3_BUCKET', 'DATA_DIR').ended;
    assert.equal(code, 1, output);
    assert.match(output, new RegExp(`${bad} is not moved: its content does not match its name`));
    assert.equal(String(await readAll(places.DATA_DIR, good)), 'good');
    assert.equal(String(await readAll(places.DATA_DIR, small)), 'smaller');
  });

  it('reports a wrong setting as one sentence without a secret', async (t) => {
    const { s3, startMove } = await setUp(t);
    s3.fail('wrong-key', 'GET', 100);
    const { code, output } = await startMove('DATA_DIR', 'S3_BUCKET').ended;
    assert.equal(code, 1);
    assert.match(output, /^S3_SECRET_ACCESS_KEY: it is not the secret of S3_ACCESS_KEY_ID\.$/m);
    assert.doesNotMatch(output, /S3RVER/);
  });
});
