// Pinned versions of tags: their files stay available with the same content.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
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
    const { app, dataDir } = await makeApp(t);
    retainVersions(makeBuilt(t, '1.0.0-aaa'), dataDir, Date.UTC(2026, 10, 22));
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
    const { dataDir } = await makeApp(t);
    const [old, young] = [makeBuilt(t, '1.0.0-old'), makeBuilt(t, '1.1.0-young', 'export const two = 2;')];
    const versions = () => listRetainedVersions(dataDir).map(({ version, until }) => [version, until]);
    retainVersions(old, dataDir, 0);
    retainVersions(old, dataDir, 500 * DAY);
    assert.deepEqual(versions(), [['1.0.0-old', null]]);
    retainVersions(young, dataDir, 501 * DAY);
    const until = new Date((501 + 365) * DAY).toISOString().slice(0, 10);
    assert.deepEqual(versions(), [
      ['1.1.0-young', null],
      ['1.0.0-old', until],
    ]);
    retainVersions(young, dataDir, (501 + 365) * DAY);
    assert.equal(versions().length, 2);
    retainVersions(young, dataDir, (501 + 366) * DAY);
    assert.deepEqual(versions(), [['1.1.0-young', null]]);
  });

  it('is used again with a build that contains it, and comes first in the list', async (t) => {
    const { dataDir } = await makeApp(t);
    const [old, young] = [makeBuilt(t, '1.0.0-old'), makeBuilt(t, '1.1.0-young')];
    for (const [built, at] of [
      [old, 0],
      [young, DAY],
      [old, 2 * DAY],
    ] as const)
      retainVersions(built, dataDir, at);
    assert.deepEqual(
      listRetainedVersions(dataDir).map(({ version, until }) => [version, until !== null]),
      [
        ['1.0.0-old', false],
        ['1.1.0-young', true],
      ],
    );
  });

  it('stays even if the list of dates is damaged', async (t) => {
    const { app, dataDir } = await makeApp(t);
    const built = makeBuilt(t, '1.0.0-aaa');
    retainVersions(built, dataDir, 0);
    writeFileSync(path.join(dataDir, 'elements/ledger.json'), '{"1.0');
    rmSync(path.join(built, '1.0.0-aaa'), { recursive: true });
    retainVersions(built, dataDir, 400 * DAY);
    assert.equal((await app.inject('/elements/v/1.0.0-aaa/changer-feed.js')).statusCode, 200);
  });

  it('returns a problem if it is missing or its name leads out of the folder', async (t) => {
    const { app, dataDir } = await makeApp(t);
    retainVersions(makeBuilt(t, '1.0.0-aaa'), dataDir, 0);
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
