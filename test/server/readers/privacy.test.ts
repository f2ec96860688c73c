// Privacy: deletion of a reader, export of the data of a reader, and retention.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createBoundedClock } from '../../../server/jobs/bounded-clock.ts';
import { applyRetention } from '../../../server/jobs/retention.ts';
import { PRIVACY_TEXTS } from '../../../server/publishing/privacy-texts.ts';
import { makeApp, signIn, withChannels } from '../support/make-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('DELETE /api/me', () => {
  it('ends every session of the reader, and every event stream of these sessions', async (t) => {
    const testApp = await withChannels(t);
    const [session, otherSession, otherReader] = [await signIn(testApp, 1), await signIn(testApp, 1), await signIn(testApp, 2)];
    await testApp.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers: session });
    const origin = await testApp.app.listen({ port: 0 });
    const open = (headers: Record<string, string>) => fetch(`${origin}/api/events`, { headers });
    const [ownStream, otherStream] = [await open(otherSession), await open(otherReader)];
    assert.equal(testApp.context.eventHub.count(), 2);
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/me', headers: session })).statusCode, 204);
    await ownStream.text();
    assert.equal((await open(otherSession)).status, 401);
    assert.equal((await testApp.app.inject({ url: '/api/stars', headers: otherSession })).statusCode, 401);
    await otherStream.body?.cancel();
  });
});

describe('GET /api/me/data', () => {
  it('returns the stored data of the reader as a file, and only to that reader', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    await testApp.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers });
    await testApp.app.inject({ method: 'PUT', url: '/api/stars/2/1', headers: await signIn(testApp, 2) });
    const response = await testApp.app.inject({ url: '/api/me/data', headers });
    assert.match(String(response.headers['content-disposition']), /^attachment/);
    assert.equal(response.headers['cache-control'], 'no-store');
    const exported = response.json();
    assert.deepEqual(
      [exported.readers[0].name, exported.sessions.length, exported.sessions[0].token_hash],
      ['Reader 1', 1, undefined],
    );
    assert.deepEqual(
      exported.stars.map((star: { post: number }) => star.post),
      [3],
    );
    assert.equal((await testApp.app.inject('/api/me/data')).statusCode, 401);
  });
});

describe('RETENTION_DAYS', () => {
  it('deletes a reader who was inactive for this many days, and nobody if it is 0', async (t) => {
    const testApp = await withChannels(t);
    await signIn(testApp, 1);
    const at = (days: number) => {
      const now = testApp.clock.now + days * DAY;
      return { store: testApp.store, days: 30, now: () => now, boundedNow: async () => now };
    };
    assert.equal(await applyRetention(at(29)), 0);
    assert.equal(await applyRetention({ ...at(3000), days: 0 }), 0);
    assert.equal(await applyRetention(at(32)), 1);
    assert.equal(await testApp.store.reader('1'), null);
  });

  it('counts from the last day on which the reader used a session', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const now = () => testApp.clock.now;
    for (let day = 0; day < 40; day++) {
      testApp.clock.now += DAY - 60_000;
      assert.equal((await testApp.app.inject({ url: '/api/lineup', headers })).statusCode, 200);
      assert.equal(await applyRetention({ store: testApp.store, days: 30, now, boundedNow: async () => now() }), 0);
    }
  });
});

describe('a clock that jumps', () => {
  /** Creates a machine with a clock and one reader. Each start runs the hourly retention job for the given number of hours. */
  const machine = async (t: TestContext) => {
    const testApp = await withChannels(t);
    const { store, clock } = testApp;
    await signIn(testApp, 1);
    const time = { passed: 0 };
    const start = () => {
      const now = () => clock.now;
      const retention = { store, days: 365, now, boundedNow: createBoundedClock(store, now, () => time.passed) };
      return async (hours: number) => {
        for (let hour = 0; hour < hours; hour++) {
          [time.passed, clock.now] = [time.passed + HOUR, clock.now + HOUR];
          await applyRetention(retention);
        }
      };
    };
    const readerExists = async () => (await store.reader('1')) !== null;
    return { clock, start, readerExists };
  };

  it('deletes no reader if it is corrected within days, however often the server starts', async (t) => {
    const { clock, start, readerExists } = await machine(t);
    await start()(1);
    clock.now += 400 * DAY;
    for (let at = 0; at < 72; at++) await start()(1);
    assert.equal(await readerExists(), true);
    clock.now -= 400 * DAY;
    await start()(24);
    assert.equal(await readerExists(), true);
  });

  it('does not stop the retention, and neither does a server that was off or a clock that was behind', async (t) => {
    const { clock, start, readerExists } = await machine(t);
    await start()(1);
    clock.now -= 9000 * DAY;
    await start()(24);
    clock.now += 9000 * DAY;
    await start()(24);
    assert.equal(await readerExists(), true);
    clock.now += 400 * DAY;
    await start()(24);
    assert.equal(await readerExists(), true);
    await start()(24 * 15);
    assert.equal(await readerExists(), false);
  });
});

describe('GET /privacy', () => {
  it('lists in the language of the reader what is stored, and for how long, without a script', async (t) => {
    const { app } = await makeApp(t, { RETENTION_DAYS: '90', BRAND_NAME: 'A <b>' });
    for (const [language, dir, days] of [
      ['en', 'ltr', '90'],
      ['ru', 'ltr', '90'],
      ['ar', 'rtl', '٩٠'],
    ] as const) {
      const request = { headers: { 'accept-language': `${language}-EG,en;q=0.5` } };
      const { body, headers, statusCode } = await app.inject({ url: '/privacy', ...request });
      assert.deepEqual([statusCode, headers['content-language']], [200, language]);
      assert.match(String(headers.vary), /Accept-Language/);
      assert.match(body, new RegExp(`<html lang="${language}" dir="${dir}">`));
      assert.match(body, new RegExp(`<h1>${PRIVACY_TEXTS[language].title}</h1>`));
      assert.match(body, new RegExp(` ${days} `));
      assert.doesNotMatch(body, /<script|<b>|\{days\}/);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
    }
    const chosen = await app.inject({ url: '/privacy?lang=ru', headers: { 'accept-language': 'ar' } });
    assert.equal(chosen.headers['content-language'], 'ru');
    assert.equal((await app.inject('/privacy?lang=xx')).headers['content-language'], 'en');
  });

  it('names the data that a reader would not expect, equally in every language', async (t) => {
    const { app } = await makeApp(t, { RETENTION_DAYS: '90' });
    const shapes = new Set<string>();
    for (const [language, { sections }] of Object.entries(PRIVACY_TEXTS)) {
      const { body } = await app.inject(`/privacy?lang=${language}`);
      for (const name of ['XSRF-TOKEN', 'IndexedDB', 'sessionStorage', 'localStorage']) assert.ok(body.includes(name), name);
      shapes.add(sections.map((paragraphs) => paragraphs.length).join());
    }
    assert.equal(shapes.size, 1);
    const { body } = await app.inject('/privacy?lang=en');
    for (const words of [/muted words, presets and the addresses of the feeds/, /about to connect a channel, for an hour/])
      assert.match(body, words);
    assert.match(body, /adds the bot to a channel is stored with that channel.*added the bot and never signed in is forgotten/s);
  });

  it('does not mention the deletion of readers if it is off', async (t) => {
    const { app } = await makeApp(t, { RETENTION_DAYS: '0' });
    const { body } = await app.inject('/privacy');
    assert.match(body, /stays until it is erased/);
    assert.doesNotMatch(body, /do not visit/);
  });
});

describe('GET /.well-known/security.txt', () => {
  it('names the contact, and expires within a year of any request', async (t) => {
    const testApp = await makeApp(t, { SECURITY_CONTACT: 'mailto:a@b.example', PUBLIC_URL: 'https://channels.example' });
    testApp.clock.now += 400 * DAY;
    const { body, headers } = await testApp.app.inject('/.well-known/security.txt');
    assert.match(String(headers['content-type']), /^text\/plain; charset=utf-8$/);
    assert.match(body, /^Contact: mailto:a@b\.example$/m);
    assert.match(body, /^Canonical: https:\/\/channels\.example\/\.well-known\/security\.txt$/m);
    const left = Date.parse(/^Expires: (.+)$/m.exec(body)?.[1] ?? '') - testApp.clock.now;
    assert.ok(left > 170 * DAY && left < 366 * DAY, String(left));
  });

  it('is not found if no contact is set', async (t) => {
    const { app } = await makeApp(t);
    assert.equal((await app.inject('/.well-known/security.txt')).statusCode, 404);
  });
});
