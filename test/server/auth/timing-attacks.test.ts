// Timing attacks: the duration of a response does not reveal whether something exists.
// Runs alone: it compares the durations of responses.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import { channel, fill, launchData, signIn, type TestApp, withChannels } from '../support/make-app.ts';

/** Maximum ratio of two medians. A larger one would distinguish them. */
const MAX_RATIO = 1.5;
/**
 * Requests per try. Each try doubles the number: on a busy machine, some tries differ by chance, but a real difference appears
 * in all of them.
 */
const REQUEST_COUNTS = [100, 200, 400, 800];

const median = (times: number[]): number => times.sort((one, other) => one - other)[times.length >> 1] ?? 0;

/** Returns the ratio of the durations of two requests. They are sent alternately, `count` times each. */
async function compare({ app }: TestApp, requests: readonly [InjectOptions, InjectOptions], count: number): Promise<number> {
  const times: [number[], number[]] = [[], []];
  for (let at = 0; at < count * 2; at++) {
    const index = at % 2 === 0 ? 0 : 1;
    // Each request comes from an address of its own, since an address with many wrong requests is blocked.
    const remoteAddress = `10.${at >> 12}.${(at >> 4) & 255}.${at & 15}`;
    const startedAt = performance.now();
    await app.inject({ ...requests[index], remoteAddress });
    times[index].push(performance.now() - startedAt);
  }
  return median(times[0]) / median(times[1]);
}

async function assertAlike(testApp: TestApp, requests: readonly [InjectOptions, InjectOptions]): Promise<void> {
  const [one, other] = await Promise.all(requests.map((each) => testApp.app.inject(each)));
  assert.equal(one?.statusCode, other?.statusCode);
  const ratios: number[] = [];
  for (const count of REQUEST_COUNTS) {
    const ratio = await compare(testApp, requests, count);
    if (ratio < MAX_RATIO && ratio > 1 / MAX_RATIO) return;
    ratios.push(ratio);
  }
  assert.fail(`it takes ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} times as long`);
}

const withPrivate = async (t: TestContext) => {
  const testApp = await withChannels(t);
  await fill(testApp.store, channel('5', { private: true, username: 'closed' }), 30);
  return testApp;
};

describe('the response time', () => {
  const urlsOf: Readonly<Record<string, (name: string) => string>> = {
    itself: (name) => `/api/channels/${name}`,
    'its posts': (name) => `/api/channels/${name}/posts`,
    'one of its posts': (name) => `/api/posts/${name}/3`,
    'a search in it': (name) => `/api/search?q=post&channels=${name}`,
    'its feed': (name) => `/feeds/channel/${name}.rss`,
  };
  for (const [routeName, urlOf] of Object.entries(urlsOf))
    it(`does not show whether a private channel exists, for a request of ${routeName}`, async (t) => {
      await assertAlike(await withPrivate(t), [{ url: urlOf('5') }, { url: urlOf('6') }]);
    });

  it('does not show whether a token was ever valid', async (t) => {
    const testApp = await withPrivate(t);
    const over = await signIn(testApp, 7);
    await testApp.app.inject({ method: 'DELETE', url: '/api/session', headers: over });
    const unknownToken = { 'access-token': 'A'.repeat(43) };
    await assertAlike(testApp, [
      { url: '/api/lineup', headers: over },
      { url: '/api/lineup', headers: unknownToken },
    ]);
  });

  it('does not show how much of a signature is correct', async (t) => {
    const testApp = await withPrivate(t);
    const validData = launchData(7, { at: testApp.clock.now });
    const hash = /hash=(\w+)/.exec(validData)?.[1] ?? '';
    const flip = (digit = '') => (digit === '0' ? '1' : '0');
    const withHash = (bad: string): InjectOptions => ({
      method: 'POST',
      url: '/api/telegram/auth/webapp',
      payload: { initData: validData.replace(hash, bad) },
    });
    await assertAlike(testApp, [withHash(flip(hash[0]) + hash.slice(1)), withHash(hash.slice(0, -1) + flip(hash.at(-1)))]);
  });
});
