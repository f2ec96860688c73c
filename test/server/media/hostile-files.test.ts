// Hostile files: pictures and exports that would use too much memory or never end.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { HOSTILE_PICTURES } from '../../hostile/pictures.ts';
import {
  ALL,
  channelExport,
  contentOf,
  exportedMessage,
  makeImporter,
  writeExport,
} from '../sources/telegram-export/export-files.ts';
import { makeApp, signIn } from '../support/make-app.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/**
 * Memory limit, in megabytes. A decoder that reads line by line needs little. A GIF that was read completely took 482, an
 * interlaced PNG a thousand.
 */
const MEGABYTES = 200;

describe('malicious pictures', () => {
  it('are stored as documents, each with its reason, with little memory', async (t) => {
    const args = ['--import', 'tsx', join(ROOT, 'test/hostile/store-pictures.ts')];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 60_000 });
    const { reasons, megabytes }: { reasons: Record<string, string | null>; megabytes: number } = JSON.parse(stdout);
    t.diagnostic(`${Object.keys(reasons).length} pictures, ${Math.round(megabytes)} MB more than before them`);
    assert.deepEqual(
      Object.entries(reasons).filter(([, reason]) => reason === null),
      [],
    );
    for (const [name, reason] of Object.entries(reasons))
      if (name.includes('119 million')) assert.match(reason ?? '', /need too much memory/, name);
    assert.ok(megabytes < MEGABYTES, `${megabytes} MB: ${stdout}`);
  });

  it('are rejected as a logo, and the previous logo stays', async (t) => {
    const testApp = await makeApp(t, { OPERATOR_IDS: '7' });
    const headers = await signIn(testApp, 7);
    for (const [name, bytes] of Object.entries(HOSTILE_PICTURES)) {
      const payload = { name: 'City', color: '#112233', logo: bytes.toString('base64') };
      const response = await testApp.app.inject({ method: 'PUT', url: '/api/operator/brand', headers, payload });
      assert.ok([400, 413].includes(response.statusCode), `${name}: ${response.statusCode} ${response.body}`);
      assert.match(response.json().detail, /logo|too large/, name);
    }
    assert.equal((await testApp.app.inject('/icon-512.png')).statusCode, 404);
    assert.equal((await testApp.app.inject('/healthz')).statusCode, 200);
  });
});

describe('malicious exports', () => {
  const nestedArrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const exportAround = (message: string) =>
    JSON.stringify(channelExport([exportedMessage(1), '#', exportedMessage(3)])).replace('"#"', () => message);

  it('are imported as far as they can be read; the rest is reported, and the process never ends', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const messages = [
      `{"id":2,"type":"message","date_unixtime":"1767225700","text":"x","odd":${nestedArrays(1_000_000)}}`,
      `{"id":2,"type":"message","date_unixtime":"1767225700","text":${nestedArrays(1_000_000)}}`,
      `{"id":2,"type":"message","date_unixtime":"1767225700","text_entities":[{"type":${nestedArrays(100_000)},"text":"x"}]}`,
      `{"id":2,"type":"message","date_unixtime":"1767225700","text":"${'x'.repeat(20_000_000)}"}`,
      `{"id":2,"type":"message","date_unixtime":"${'9'.repeat(100_000)}","text":"x"}`,
      `{"id":2,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"type":"message","text":"x"}`,
      '[]',
    ];
    for (const message of messages) {
      const outcome = await importThis(exportAround(message)).then(
        ({ channels }) => `${channels[0]?.messages}`,
        (error: Error) => `${error.name}: ${error.message}`,
      );
      assert.match(outcome, /^3$|^ImportError: .*Nothing was imported\.$/, `${message.slice(0, 100)}: ${outcome.slice(0, 300)}`);
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    }
    const ids = (await store.posts({ limit: 9 }, ALL)).map(({ id }) => id);
    assert.ok(ids.includes(1) && ids.includes(3), `${ids}`);
  });

  it('are rejected if one value never ends, and existing data stay', async (t) => {
    const { store, importThis } = await makeImporter(t);
    await importThis(channelExport([exportedMessage(1)]));
    const before = await contentOf(store);
    for (const content of [
      exportAround(`"${'x'.repeat(34_000_000)}"`),
      `{"name":"${'x'.repeat(34_000_000)}`,
      `{"${'k'.repeat(34_000_000)}":1}`,
    ])
      await assert.rejects(importThis(content), /One value is larger than 32 MB .*Nothing was imported\.$/);
    assert.deepEqual(await contentOf(store), before);
  });

  it('read no device, pipe or folder, and follow no link out of their own folder', async (t) => {
    const { store, from, dataDir, importThis, importFile } = await makeImporter(t);
    mkdirSync(join(from, 'photos'), { recursive: true });
    execFileSync('mkfifo', [join(from, 'pipe')]);
    writeFileSync(join(dataDir, 'secret.txt'), 'secret');
    symlinkSync('/dev/zero', join(from, 'zero'));
    symlinkSync(dataDir, join(from, 'up'));
    symlinkSync('loop', join(from, 'loop'));
    const named = ['pipe', 'zero', '/dev/zero', '/proc/self/environ', 'up/secret.txt', 'loop', 'photos', `${'a/'.repeat(3000)}b`];
    named.push('..\\secret.txt', 'file:///etc/passwd', 'photos/../../secret.txt', '%2e%2e/secret.txt', 'result.json/x');
    const report = await importThis(channelExport(named.map((file, at) => exportedMessage(at + 1, { file }))));
    assert.deepEqual(
      report.deviations.map(({ subject }) => subject),
      named,
    );
    for (const post of await store.posts({ limit: 99 }, ALL)) assert.equal(post.media[0]?.missing, 'lost');
    // The export file itself must be a regular file, too.
    for (const path of ['pipe', 'zero', 'loop', 'photos'])
      await assert.rejects(importFile(join(from, path)), /does not exist; specify/);
    t.diagnostic(`${named.length} names of files`);
  });

  it('import no files of a folder in which only the result file is a link to another folder', async (t) => {
    const { from, dataDir, importFile, store } = await makeImporter(t);
    const other = join(dataDir, 'other');
    writeExport(other, channelExport([exportedMessage(1, { file: 'secret.txt' })]));
    writeFileSync(join(other, 'secret.txt'), 'secret');
    mkdirSync(from);
    symlinkSync(join(other, 'result.json'), join(from, 'result.json'));
    await importFile(from);
    const [post] = await store.posts({ limit: 1 }, ALL);
    assert.equal(post?.media[0]?.missing, 'lost');
  });
});
