// Privacy on a shared device: no data of a reader remains after a sign-out or for the next reader.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../server/storage/ports/store.ts';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { channel, fill, message } from '../server/support/make-app.ts';
import {
  asTelegram,
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
  readIndexedDbText,
  until,
  workerControls,
} from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/**
 * Data that only reader A may see or has created: a private channel, its posts, a preset, a muted word, a star, a read marker,
 * her name.
 */
const PRIVATE = ['Closed club', 'Post 3 of Closed club', 'Mornings alone', 'unspoken', 'star/9/', 'mark/9', 'Adalind'];

describe('the data of a reader on a device', () => {
  let server: RunningServer;
  let store: Store;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** The id of the last post of the private channel. */
  let newest = 5;
  /** Every requested address. */
  let read: Set<string>;

  before(async () => {
    const env = { OPERATOR_IDS: '7,17' };
    [server, browser] = await Promise.all([startServer({ demo: false, development: true, env }), launchBrowser()]);
    store = await server.openStore();
    await fill(store, channel('1', { title: 'Alpha' }), 5);
    await fill(store, channel('9', { title: 'Closed club', private: true }), 5);
  });
  after(async () => {
    await Promise.all([browser.close(), store.close()]);
    await server.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    read = new Set();
    context.on('request', (request) => request.method() === 'GET' && read.add(request.url()));
    page = await context.newPage();
  });
  afterEach(() => context.close());

  /** Opens the app as Telegram does. Confirms the question that the device asks before another reader signs in. */
  async function signIn(user: number, name: string, needsConfirmation = false): Promise<void> {
    const data = await (await fetch(`${server.origin}/dev/launch-data?user=${user}&name=${name}`)).text();
    await page.goto('about:blank');
    await asTelegram(page);
    await page.goto(`${server.origin}/main${launchHash(ANDROID, DARK, data)}`);
    await page.locator('changer-feed article').first().waitFor();
    if (needsConfirmation) await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await until(async () => (await page.evaluate(() => sessionStorage.getItem('access_token'))) !== null, `${name} is signed in`);
  }

  /** Reader A reads a private channel, edits her line-up, stars, marks and searches. Afterwards all of it is on the device. */
  async function actAsA(user: number): Promise<void> {
    await signIn(user, 'Adalind');
    await workerControls(page);
    await page.locator('changer-feed article[data-key="9/5"]').getByRole('button', { name: 'Star' }).click();
    await page.evaluate(`(() => {
      const { dataClient: channels } = document.querySelector('changer-layout').services;
      channels.applyLineupOperation({ action: 'mute', channelId: '9' }, (contents, now) => ({
        ...contents,
        entries: contents.entries.map((entry) => ({ ...entry, mutedWords: ['unspoken'], changed: now })),
        presets: [{ id: 'p1', name: 'Mornings alone', channelIds: ['9'], changed: now }],
      }));
    })()`);
    await until(
      () => page.evaluate(`document.querySelector('changer-layout').services.dataClient.syncStatus.get().type === 'saved'`),
      'all is saved',
    );
    // Posts from before her first visit count as read.
    newest += 1;
    await store.putMessages([message('9', newest, `Post ${newest} of Closed club`)]);
    await page.goto(`${server.origin}/channel/9`);
    await page.getByText('Post 3 of Closed club').first().waitFor();
    // Search results are not marked as read, so she stays here until the post is marked.
    await until(async () => (await stored()).includes('mark/9'), 'her scroll position is on the device');
    await page.goto(`${server.origin}/channel/9?q=Closed`);
    await page.locator('changer-channel article').first().waitFor();
    await until(async () => missingFrom(await stored(), PRIVATE).length === 0, 'all private data is on the device').catch(
      async (error) => {
        throw new Error(`Not on the device: ${missingFrom(await stored(), PRIVATE)}`, { cause: error });
      },
    );
  }

  const shown = () => page.getByText(/Closed club|Adalind/);
  const missingFrom = (text: string, expected: readonly string[]) => expected.filter((each) => !text.includes(each));
  const left = (text: string) => PRIVATE.filter((each) => text.includes(each));

  /** Returns everything in the storage of this browser that a page can read, including the HTTP cache. */
  async function stored(target: Page = page): Promise<string> {
    const storageContents = await target.evaluate(
      async (addresses) => {
        const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie];
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const request of await cache.keys()) found.push(request.url, (await (await cache.match(request))?.text()) ?? '');
        }
        for (const address of addresses) {
          const cachedResponse = await fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null);
          if (cachedResponse?.ok === true) found.push(address, await cachedResponse.text());
        }
        return found;
      },
      [...read].filter((address) => address.startsWith(`${server.origin}/api/`) && !address.includes('/events')),
    );
    const state = JSON.stringify(await context.storageState());
    return [...storageContents, state, await readIndexedDbText(target)].join('\n');
  }

  it('contains nothing of a private channel, the line-up or the stars after a sign-out', async () => {
    await actAsA(7);
    const other = await context.newPage();
    await other.goto(`${server.origin}/changer`);
    await other.locator('changer-dial [data-row]').first().waitFor();
    await page.evaluate(`document.querySelector('changer-layout').services.environment.signOut()`);
    await until(async () => left(await stored()).length === 0, 'no private data is left').catch(() => {});
    assert.deepEqual([left(await stored()), left(await stored(other))], [[], []]);
    assert.equal(await shown().count(), 0);
    await page.goBack();
    await page.locator('changer-feed article, changer-channel, changer-not-found').first().waitFor();
    assert.deepEqual([left(await stored()), await shown().count()], [[], 0]);
  });

  it('contains nothing of them after another reader signs in', async () => {
    await actAsA(17);
    await page.evaluate(() => sessionStorage.clear());
    await signIn(8, 'Bea', true);
    await until(async () => left(await stored()).length === 0, 'no private data is left').catch(() => {});
    assert.deepEqual(left(await stored()), []);
  });
});
