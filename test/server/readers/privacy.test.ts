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
    const made = await withChannels(t);
    const [here, there, other] = [await signIn(made, 1), await signIn(made, 1), await signIn(made, 2)];
    await made.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers: here });
    const origin = await made.app.listen({ port: 0 });
    const open = (headers: Record<string, string>) => fetch(`${origin}/api/events`, { headers });
    const [own, others] = [await open(there), await open(other)];
    assert.equal(made.context.eventHub.count(), 2);
    assert.equal((await made.app.inject({ method: 'DELETE', url: '/api/me', headers: here })).statusCode, 204);
    await own.text();
    assert.equal((await open(there)).status, 401);
    assert.equal((await made.app.inject({ url: '/api/stars', headers: there })).statusCode, 401);
    await others.body?.cancel();
  });
});

describe('GET /api/me/data', () => {
  it('returns the stored data of the reader as a file, and only to that reader', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    await made.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers });
    await made.app.inject({ method: 'PUT', url: '/api/stars/2/1', headers: await signIn(made, 2) });
    const answer = await made.app.inject({ url: '/api/me/data', headers });
    assert.match(String(answer.headers['content-disposition']), /^attachment/);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const kept = answer.json();
    assert.deepEqual([kept.readers[0].name, kept.sessions.length, kept.sessions[0].token_hash], ['Reader 1', 1, undefined]);
    assert.deepEqual(
      kept.stars.map((star: { post: number }) => star.post),
      [3],
    );
    assert.equal((await made.app.inject('/api/me/data')).statusCode, 401);
  });
});

describe('RETENTION_DAYS', () => {
  it('deletes a reader who was inactive for this many days, and nobody if it is 0', async (t) => {
    const made = await withChannels(t);
    await signIn(made, 1);
    const at = (days: number) => {
      const now = made.clock.now + days * DAY;
      return { store: made.store, days: 30, now: () => now, boundedNow: async () => now };
    };
    assert.equal(await applyRetention(at(29)), 0);
    assert.equal(await applyRetention({ ...at(3000), days: 0 }), 0);
    assert.equal(await applyRetention(at(32)), 1);
    assert.equal(await made.store.reader('1'), null);
  });

  it('counts from the last day on which the reader used a session', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    const now = () => made.clock.now;
    for (let day = 0; day < 40; day++) {
      made.clock.now += DAY - 60_000;
      assert.equal((await made.app.inject({ url: '/api/lineup', headers })).statusCode, 200);
      assert.equal(await applyRetention({ store: made.store, days: 30, now, boundedNow: async () => now() }), 0);
    }
  });
});

describe('a clock that jumps', () => {
  /** Creates a machine with a clock and one reader. Each start runs the hourly retention job for the given number of hours. */
  const machine = async (t: TestContext) => {
    const made = await withChannels(t);
    const { store, clock } = made;
    await signIn(made, 1);
    const time = { passed: 0 };
    const start = () => {
      const now = () => clock.now;
      const forgetting = { store, days: 365, now, boundedNow: createBoundedClock(store, now, () => time.passed) };
      return async (hours: number) => {
        for (let hour = 0; hour < hours; hour++) {
          [time.passed, clock.now] = [time.passed + HOUR, clock.now + HOUR];
          await applyRetention(forgetting);
        }
      };
    };
    const isThere = async () => (await store.reader('1')) !== null;
    return { clock, start, isThere };
  };

  it('deletes no reader if it is corrected within days, however often the server starts', async (t) => {
    const { clock, start, isThere } = await machine(t);
    await start()(1);
    clock.now += 400 * DAY;
    for (let at = 0; at < 72; at++) await start()(1);
    assert.equal(await isThere(), true);
    clock.now -= 400 * DAY;
    await start()(24);
    assert.equal(await isThere(), true);
  });

  it('does not stop the retention, and neither does a server that was off or a clock that was behind', async (t) => {
    const { clock, start, isThere } = await machine(t);
    await start()(1);
    clock.now -= 9000 * DAY;
    await start()(24);
    clock.now += 9000 * DAY;
    await start()(24);
    assert.equal(await isThere(), true);
    clock.now += 400 * DAY;
    await start()(24);
    assert.equal(await isThere(), true);
    await start()(24 * 15);
    assert.equal(await isThere(), false);
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
      const asked = { headers: { 'accept-language': `${language}-EG,en;q=0.5` } };
      const { body, headers, statusCode } = await app.inject({ url: '/privacy', ...asked });
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
    const made = await makeApp(t, { SECURITY_CONTACT: 'mailto:a@b.example', PUBLIC_URL: 'https://channels.example' });
    made.clock.now += 400 * DAY;
    const { body, headers } = await made.app.inject('/.well-known/security.txt');
    assert.match(String(headers['content-type']), /^text\/plain; charset=utf-8$/);
    assert.match(body, /^Contact: mailto:a@b\.example$/m);
    assert.match(body, /^Canonical: https:\/\/channels\.example\/\.well-known\/security\.txt$/m);
    const left = Date.parse(/^Expires: (.+)$/m.exec(body)?.[1] ?? '') - made.clock.now;
    assert.ok(left > 170 * DAY && left < 366 * DAY, String(left));
  });

  it('is not found if no contact is set', async (t) => {
    const { app } = await makeApp(t);
    assert.equal((await app.inject('/.well-known/security.txt')).statusCode, 404);
  });
});
