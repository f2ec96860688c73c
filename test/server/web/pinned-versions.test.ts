// Pinned versions of tags: their files stay available with the same content.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { moveRetainedFolders } from '../../../server/web/move-retained-folders.ts';
import { listRetainedVersions, retainVersions } from '../../../server/web/retained-files.ts';
import { makeApp, makeFolder } from '../support/make-app.ts';

const DAY = 86_400_000;
const FIRST = 'export const one = 1;';

/** Creates a build with one version of one tag. */
function makeBuilt(t: TestContext, version: string, body = FIRST): string {
  const built = makeFolder(t);
  mkdirSync(path.join(built, version));
  writeFileSync(path.join(built, version, 'changer-feed.js'), body);
  return built;
}

describe('a pinned version', () => {
  it('is immutable, can be loaded by any origin, and matches its hash', async (t) => {
    const { app, store } = await makeApp(t);
    await retainVersions(makeBuilt(t, '1.0.0-aaa'), store, Date.UTC(2026, 10, 22));
    const { versions } = (await app.inject('/elements/versions.json')).json();
    const response = await app.inject({
      url: '/elements/v/1.0.0-aaa/changer-feed.js',
      headers: { origin: 'https://site.example' },
    });
    assert.equal(response.body, FIRST);
    assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(response.headers['access-control-allow-origin'], '*');
    assert.equal(response.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(response.headers['x-content-type-options'], 'nosniff');
    assert.match(String(response.headers['content-type']), /^text\/javascript/);
    const integrity = `sha384-${createHash('sha384').update(response.rawPayload).digest('base64')}`;
    assert.deepEqual(versions, [
      {
        version: '1.0.0-aaa',
        since: '2026-11-22',
        until: null,
        files: { 'changer-feed.js': { integrity, bytes: FIRST.length } },
      },
    ]);
  });

  it('is stored for a year after the first start without it', async (t) => {
    const { store } = await makeApp(t);
    const [old, young] = [makeBuilt(t, '1.0.0-old'), makeBuilt(t, '1.1.0-young', 'export const two = 2;')];
    const versions = async () => (await listRetainedVersions(store)).map(({ version, until }) => [version, until]);
    await retainVersions(old, store, 0);
    await retainVersions(old, store, 500 * DAY);
    assert.deepEqual(await versions(), [['1.0.0-old', null]]);
    await retainVersions(young, store, 501 * DAY);
    const until = new Date((501 + 365) * DAY).toISOString().slice(0, 10);
    assert.deepEqual(await versions(), [
      ['1.1.0-young', null],
      ['1.0.0-old', until],
    ]);
    await retainVersions(young, store, (501 + 365) * DAY);
    assert.equal((await versions()).length, 2);
    await retainVersions(young, store, (501 + 366) * DAY);
    assert.deepEqual(await versions(), [['1.1.0-young', null]]);
  });

  it('is used again with a build that contains it, and comes first in the list', async (t) => {
    const { store } = await makeApp(t);
    const [old, young] = [makeBuilt(t, '1.0.0-old'), makeBuilt(t, '1.1.0-young')];
    for (const [built, at] of [
      [old, 0],
      [young, DAY],
      [old, 2 * DAY],
    ] as const)
      await retainVersions(built, store, at);
    assert.deepEqual(
      (await listRetainedVersions(store)).map(({ version, until }) => [version, until !== null]),
      [
        ['1.0.0-old', false],
        ['1.1.0-young', true],
      ],
    );
  });

  it('moves from the folders of an earlier version into the store, with its times', async (t) => {
    const { app, store, dataDir } = await makeApp(t);
    const folder = path.join(dataDir, 'elements');
    mkdirSync(path.join(folder, '1.0.0-aaa'), { recursive: true });
    writeFileSync(path.join(folder, '1.0.0-aaa/changer-feed.js'), FIRST);
    mkdirSync(path.join(folder, '1.1.0-bbb'));
    writeFileSync(path.join(folder, '1.1.0-bbb/changer-feed.js'), 'export const two = 2;');
    const uses = { '1.0.0-aaa': { since: 3 * DAY, retired: 300 * DAY }, '1.1.0-bbb': { since: 300 * DAY, retired: null } };
    writeFileSync(path.join(folder, 'ledger.json'), JSON.stringify(uses));
    mkdirSync(path.join(dataDir, 'assets'));
    writeFileSync(path.join(dataDir, 'assets/old-CCCC3333.js'), 'old');
    writeFileSync(path.join(dataDir, 'assets/retired.json'), JSON.stringify({ 'old-CCCC3333.js': (400 * DAY) / 1000 }));
    assert.equal(await moveRetainedFolders(dataDir, store, 401 * DAY), 3);
    assert.deepEqual([existsSync(folder), existsSync(path.join(dataDir, 'assets'))], [false, false]);
    assert.deepEqual(
      (await listRetainedVersions(store)).map(({ version, since, until }) => [version, since, until]),
      [
        ['1.1.0-bbb', '1970-10-28', null],
        ['1.0.0-aaa', '1970-01-04', '1971-10-28'],
      ],
    );
    assert.equal((await app.inject('/elements/v/1.0.0-aaa/changer-feed.js')).body, FIRST);
    assert.equal((await app.inject('/assets/old-CCCC3333.js')).body, 'old');
    await store.retireFiles('/assets/', [], 500 * DAY, 400 * DAY);
    assert.equal((await app.inject('/assets/old-CCCC3333.js')).statusCode, 200);
    await store.retireFiles('/assets/', [], 500 * DAY, 400 * DAY + 1);
    assert.equal((await app.inject('/assets/old-CCCC3333.js')).statusCode, 404);
  });

  it('moves even if the list of times is damaged', async (t) => {
    const { app, store, dataDir } = await makeApp(t);
    mkdirSync(path.join(dataDir, 'elements/1.0.0-aaa'), { recursive: true });
    writeFileSync(path.join(dataDir, 'elements/1.0.0-aaa/changer-feed.js'), FIRST);
    writeFileSync(path.join(dataDir, 'elements/ledger.json'), '{"1.0');
    await moveRetainedFolders(dataDir, store, 400 * DAY);
    assert.equal((await app.inject('/elements/v/1.0.0-aaa/changer-feed.js')).statusCode, 200);
  });

  it('returns a problem if it is missing or its name leads out of the folder', async (t) => {
    const { app, store } = await makeApp(t);
    await retainVersions(makeBuilt(t, '1.0.0-aaa'), store, 0);
    const urls = [
      '9.9.9/changer-feed.js',
      '1.0.0-aaa/changer-none.js',
      '../ledger.json',
      '..%2f/ledger.json',
      '1.0.0-aaa/..%2f..%2fledger.json',
      '%2e%2e/changer.sqlite',
    ];
    for (const url of urls) {
      const response = await app.inject(`/elements/v/${url}`);
      assert.equal(response.statusCode, 404, url);
      assert.match(String(response.headers['content-type']), /problem\+json/, url);
    }
  });
});
