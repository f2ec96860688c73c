// Live updates: new, edited and hidden posts by the event stream, in several tabs.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { buildApp } from '../../server/app.ts';
import type { Message } from '../../server/domain/model.ts';
import type { Store } from '../../server/storage/ports/store.ts';
import { openCaughtUpStream } from '../server/events/event-stream-client.ts';
import { channel, launchData, makeApp, message, type TestApp } from '../server/support/make-app.ts';
import {
  asTelegram,
  type Browser,
  type BrowserContext,
  launchBrowser,
  listen,
  type Page,
  type Route,
  readIndexedDbText,
  until,
} from '../support/browser.ts';

const NOW = Math.floor(Date.now() / 1000);

/** Returns a post as the bot receives it. */
const posted = (channelId: string, id: number, text: string, edit = 0): Message => ({
  ...message(channelId, id, text, [], NOW - 4000 + id * 10),
  source: 'bot',
  modifiedAt: NOW - 4000 + id * 10 + edit,
});

/** The real server in this process, so that a test can write to its store and count its streams. */
class Site {
  readonly #ends: (() => unknown)[] = [];
  testApp!: TestApp;
  origin = '';
  #app!: TestApp['app'];

  async start(): Promise<void> {
    const scope: Pick<TestContext, 'after'> = { after: (end) => void this.#ends.push(end as () => unknown) };
    this.testApp = await makeApp(scope, { OPERATOR_IDS: '7' }, 'dist');
    const { store } = this.testApp;
    await store.putChannel(channel('1', { username: 'alpha', title: 'Alpha' }));
    await store.putChannel(channel('2', { title: 'Beta' }));
    await store.putChannel(channel('9', { title: 'Closed', private: true }));
    for (const id of ['1', '2', '9'])
      await store.putMessages(
        Array.from({ length: 30 }, (_, at) => posted(id, at + 1, `Post ${at + 1} of ${id}. ${'Words. '.repeat(40)}`)),
      );
    this.#app = this.testApp.app;
    await this.#listen(0);
    // The events of the setup were sent an hour ago.
    const listener = await openCaughtUpStream(scope, this.origin);
    await store.appendEvent('refresh', '2');
    await until(async () => listener.received.at(-1)?.type === 'refresh', 'all events are sent');
    listener.stop();
    await until(async () => this.streams === 0, 'no client is connected');
    this.testApp.clock.now += 3_600_000;
  }
  async #listen(port: number): Promise<void> {
    await this.#app.listen({ port, host: '127.0.0.1' });
    this.origin = `http://localhost:${(this.#app.server.address() as AddressInfo).port}`;
  }
  get store(): Store {
    return this.testApp.store;
  }
  get streams(): number {
    return this.testApp.context.eventHub.count();
  }
  async halt(): Promise<void> {
    await this.#app.close();
  }
  /** Starts another server on the same store and port. */
  async resume(): Promise<void> {
    const { createEventHub } = await import('../../server/events/event-hub.ts');
    const { context } = this.testApp;
    Object.assign(context, { eventHub: await createEventHub(context) });
    this.#app = await buildApp(context, { level: 'warn' });
    await this.#listen(Number(new URL(this.origin).port));
  }
  async stop(): Promise<void> {
    await this.#app.close();
    for (const end of this.#ends) await end();
  }
}

describe('live updates', () => {
  const site = new Site();
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let lines: string[];

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    await site.start();
    context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } });
    page = await context.newPage();
    lines = listen(page);
  });
  afterEach(async () => {
    await context.close();
    await site.stop();
  });

  const pill = (target: Page = page) => target.locator('.float.fresh .pill');
  const article = (key: string, target: Page = page) => target.locator(`article[data-key="${key}"]`);
  const hasFocus = (key: string) =>
    until(
      () =>
        page.evaluate(
          (expected) => document.querySelector('changer-feed')?.shadowRoot?.activeElement?.getAttribute('data-key') === expected,
          key,
        ),
      `post ${key} has the focus`,
    );
  const streams = (count: number) => until(async () => site.streams === count, `${count} streams are open`);

  /** Opens a page and waits until its event stream is connected. */
  async function open(path: string, target: Page = page): Promise<void> {
    await target.goto(site.origin + path);
    await target.locator('article').first().waitFor();
    await streams(1);
  }

  /**
   * If a request was sent in between, the list was refetched. Otherwise the stream continued. So the posts are either shown or
   * waiting.
   */
  const shownOrWaiting = () => article('1/32').or(pill().getByText('2 new posts')).first().waitFor();

  it('show the number of new posts without a shift, and the posts on request', async () => {
    await open('/main');
    await page.mouse.wheel(0, 900);
    await until(() => page.evaluate(() => window.scrollY === 900), 'the page is scrolled');
    const scrollPosition = () => page.evaluate(() => window.scrollY);
    const before = await scrollPosition();
    await site.store.putMessages([posted('1', 31, 'Fresh one'), posted('2', 32, 'Fresh two')]);
    await pill().getByText('2 new posts').waitFor();
    assert.equal(await scrollPosition(), before);
    assert.equal(await article('1/31').count(), 0);
    assert.deepEqual(await page.getByRole('status').filter({ hasText: 'new' }).allInnerTexts(), ['There are new posts']);
    await pill().click();
    await article('2/32').waitFor();
    await until(async () => (await scrollPosition()) === 0, 'the page is at its top');
    await pill().waitFor({ state: 'detached' });
    await hasFocus('2/32');
    assert.deepEqual(
      lines.filter((line) => /error|warning|uncaught/.test(line)),
      [],
    );
    assert.equal(lines.filter((line) => line.includes('/api/events')).length, 1);
  });

  it('change an edited post in place, and keep the scroll position', async () => {
    await open('/channel/alpha');
    await page.mouse.wheel(0, 1500);
    await until(() => page.evaluate(() => window.scrollY === 1500), 'the page is scrolled');
    const visiblePost = await page.evaluate(() => {
      const root = document.querySelector('changer-channel')?.shadowRoot;
      const found = [...(root?.querySelectorAll('article') ?? [])].find((one) => one.getBoundingClientRect().top > 200);
      return { key: found?.dataset.key ?? '', top: found?.getBoundingClientRect().top ?? 0 };
    });
    await site.store.putMessages([posted('1', 30, `Mended. ${'Much longer than it was. '.repeat(60)}`, 5)]);
    await article('1/30').getByText('Mended.').waitFor();
    const top = await article(visiblePost.key).evaluate((one) => one.getBoundingClientRect().top);
    assert.ok(Math.abs(top - visiblePost.top) < 1, `it moved from ${visiblePost.top} to ${top}`);
  });

  it('remove a hidden post at once, move the focus to its neighbour, and delete it from the device', async () => {
    await open('/main');
    await article('9/30').waitFor({ state: 'detached' });
    await article('2/30').focus();
    await site.store.hidePost('2', 30, NOW);
    await article('2/30').waitFor({ state: 'detached' });
    await hasFocus('1/30');
    await until(async () => !(await readIndexedDbText(page)).includes('Post 30 of 2.'), 'the post is not stored');
  });

  it('remove posts that were hidden between two visits from every cache on the device', async () => {
    await open('/channel/alpha');
    await until(async () => (await readIndexedDbText(page)).includes('Post 30 of 1.'), 'the post is stored');
    await until(async () => /\{"id":"[\w-]{22}","at":\d+\}/.test(await readIndexedDbText(page)), 'the scroll position is saved');
    await page.goto('about:blank');
    await streams(0);
    await site.store.hidePost('1', 30, NOW);
    await site.store.setSoftDeleted('1', true);
    await open('/channel/2');
    await until(async () => !/ of 1\./.test(await readIndexedDbText(page)), 'nothing of the post is stored');
    assert.match(await readIndexedDbText(page), / of 2\./);
  });

  it('share one event stream between several tabs, which the next tab takes over', async () => {
    const second = await context.newPage();
    await open('/main');
    await open('/channel/alpha', second);
    await site.store.putMessages([posted('1', 31, 'For both')]);
    await Promise.all([pill().waitFor(), pill(second).waitFor()]);
    assert.equal(site.streams, 1);
    await page.close();
    await site.store.putMessages([posted('1', 32, 'Between')]);
    await pill(second).getByText('2 new posts').waitFor();
    assert.equal(site.streams, 1);
  });

  it('lose nothing when the server restarts', async () => {
    await open('/main');
    await site.store.putMessages([posted('1', 31, 'Before')]);
    await pill().getByText('1 new post').waitFor();
    await site.halt();
    await site.store.putMessages([posted('1', 32, 'While it was down')]);
    await site.resume();
    await shownOrWaiting();
  });

  it('lose nothing when the server restarts before a page has received an event', async () => {
    const abortRequest = (route: Route) => route.abort();
    await page.route('**/api/events*', abortRequest);
    const eventStreamRequest = page.waitForRequest('**/api/events*');
    await page.goto(`${site.origin}/main`);
    await eventStreamRequest;
    await site.halt();
    await site.store.putMessages([posted('1', 31, 'While it was down')]);
    await site.resume();
    await page.unroute('**/api/events*', abortRequest);
    await article('1/31').waitFor();
  });

  it('resume from the last event after the network was down', async () => {
    await open('/main');
    await site.store.putMessages([posted('1', 31, 'Heard')]);
    await pill().getByText('1 new post').waitFor();
    await context.setOffline(true);
    site.testApp.context.eventHub.close();
    await site.halt();
    await site.store.putMessages([posted('1', 32, 'Not heard')]);
    await site.resume();
    await context.setOffline(false);
    await shownOrWaiting();
    await streams(1);
    await site.store.putMessages([posted('1', 33, 'Heard again')]);
    await until(async () => {
      if (await pill().isVisible())
        await pill()
          .click({ timeout: 1000 })
          .catch(() => {});
      return (await article('1/33').count()) === 1 && (await article('1/32').count()) === 1;
    }, 'all of it is shown');
  });

  it('send events of a private channel only to readers who may read it', async () => {
    const otherPage = await context.newPage();
    await asTelegram(page);
    await page.goto(
      `${site.origin}/main#tgWebAppData=${encodeURIComponent(launchData(7))}&tgWebAppVersion=8.0&tgWebAppPlatform=tdesktop`,
    );
    await article('9/30').waitFor();
    await otherPage.goto(`${site.origin}/main`);
    await article('1/30', otherPage).waitFor();
    await streams(2);
    await site.store.putMessages([posted('9', 31, 'Behind the door')]);
    await pill().waitFor();
    await site.store.putMessages([posted('1', 32, 'For all')]);
    await pill(otherPage).getByText('1 new post').waitFor();
    await pill().getByText('2 new posts').waitFor();
  });
});
