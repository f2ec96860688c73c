// Page snapshots: the next visit to a page shows its posts before the app has started, and never those of another reader.

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
  listen,
  type Page,
  until,
  workerControls,
} from '../support/browser.ts';
import {
  openWithoutApp,
  paintedTexts,
  readSnapshots,
  recordPaintedTexts,
  replaceSnapshots,
  snapshotOf,
  snapshotStored,
  WITHOUT_APP,
} from '../support/page-snapshots.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** Maximum size of a snapshot, in characters. */
const MAX_SIZE = 150_000;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

describe('a snapshot of a page', () => {
  let server: RunningServer;
  let store: Store;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    [server, browser] = await Promise.all([
      startServer({ demo: false, development: true, env: { OPERATOR_IDS: '7' } }),
      launchBrowser([], { asDrawn: true }),
    ]);
    store = await server.openStore();
    await fill(store, channel('1', { title: 'Alpha' }), 60);
    await fill(store, channel('9', { title: 'Closed club', private: true }), 61);
  });
  after(async () => {
    await Promise.all([browser.close(), store.close()]);
    await server.stop();
  });
  const enter = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
    context = await browser.newContext({ locale: 'en-GB', viewport: PHONE, ...options });
    page = await context.newPage();
  };
  beforeEach(() => enter());
  afterEach(() => context.close());

  const url = (path: string): string => server.origin + path;
  /** Visits a page until its snapshot is stored. */
  const visit = async (path: string, text = 'Post 60 of Alpha', tab = page): Promise<void> => {
    await tab.goto(url(path));
    await workerControls(tab);
    await snapshotStored(tab, text);
  };
  const appShown = (target: Page): Promise<void> => snapshotOf(target).waitFor({ state: 'detached' });
  const noConsoleLines = (lines: readonly string[]): void =>
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('log: GET ') && !line.startsWith('log: No internet')),
      [],
    );
  /** Asserts that the next visit starts without a snapshot, and shows the app. */
  const startsWithoutSnapshot = async (path: string): Promise<void> => {
    const next = await openWithoutApp(context, url(path));
    assert.equal(await snapshotOf(next).count(), 0);
    await next.close();
  };

  for (const [size, viewport] of Object.entries({ phone: PHONE, desk: DESK }))
    for (const locale of ['en-GB', 'ru', 'ar'])
      it(`is replaced by the app without a layout shift, on a ${size} in ${locale}`, async () => {
        await context.close();
        await enter({ viewport, locale });
        const pages = [
          ['/main', 'Post 60 of Alpha'],
          ['/channel/1', 'Post 60 of Alpha'],
          ['/changer', 'Alpha'],
        ] as const;
        const tabs = await Promise.all(pages.map(() => context.newPage()));
        await Promise.all(pages.map(([path, text], index) => visit(path, text, tabs[index])));
        for (const tab of tabs) await tab.close();
        for (const [path] of pages) {
          const next = await context.newPage();
          const lines = listen(next);
          await next.addInitScript(`window.shifts = [];
            new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value }) => value)))
              .observe({ type: 'layout-shift', buffered: true });
            new MutationObserver(() => document.getElementById('drawn') && (window.hadSnapshot = true))
              .observe(document, { childList: true, subtree: true });`);
          await next.goto(url(path));
          await appShown(next);
          await next.waitForTimeout(1000);
          assert.equal(await next.evaluate('window.hadSnapshot'), true, path);
          const shifts = await next.evaluate<number[]>('window.shifts');
          assert.deepEqual(
            shifts.filter((value) => value > 0.0001),
            [],
            path,
          );
          noConsoleLines(lines);
          await next.close();
        }
      });

  it('has working links and selectable text before the app starts', async () => {
    await visit('/main');
    const next = await openWithoutApp(context, url('/main'));
    await next.getByText('Post 60 of Alpha').selectText();
    assert.equal(await next.evaluate('String(getSelection())'), 'Post 60 of Alpha');
    await snapshotOf(next).getByRole('link', { name: 'Alpha' }).first().click();
    await next.waitForURL('**/channel/1');
  });

  it('is shown offline, and has a limited size', async () => {
    await visit('/main');
    for (const [key, json] of await readSnapshots(page)) assert.ok(json.length <= MAX_SIZE, key);
    await server.halt();
    try {
      const next = await openWithoutApp(context, url('/main'));
      await next.getByText('Post 60 of Alpha').waitFor();
    } finally {
      await server.resume();
    }
  });

  it('is the first painted content, and the scripts of the app start after it', async () => {
    await visit('/channel/1');
    const next = await context.newPage();
    await recordPaintedTexts(next, ['Post 60 of Alpha']);
    // On a slow device the browser paints a frame before the end of the page is parsed.
    await (await context.newCDPSession(next)).send('Emulation.setCPUThrottlingRate', { rate: 6 });
    await next.addInitScript(`
      requestAnimationFrame(() => (window.paintedInFirstFrame = [...window.paintedTexts]));
      new MutationObserver((_, observer) => {
        if (document.querySelector('script[type=module]') === null) return;
        observer.disconnect();
        window.paintedBeforeScripts = [...window.paintedTexts];
      }).observe(document, { childList: true, subtree: true });`);
    await next.goto(url('/channel/1'));
    await appShown(next);
    for (const list of ['paintedInFirstFrame', 'paintedBeforeScripts'])
      assert.deepEqual(await next.evaluate(`window.${list}`), ['Post 60 of Alpha'], list);
  });

  it('does not delay the app in a tab in the background, which paints no frame', async () => {
    await visit('/channel/1');
    const next = await context.newPage();
    await next.addInitScript('window.requestAnimationFrame = () => 0;');
    await next.goto(url('/channel/1'));
    await next.waitForFunction(() => document.querySelector('script[type=module]') !== null, null, { polling: 100 });
  });

  for (const [name, comeBack] of [
    ['a reload', () => page.reload({ waitUntil: 'commit' })],
    ['Back from another site', () => page.goto('data:text/html,Another site').then(() => page.goBack({ waitUntil: 'commit' }))],
  ] as const)
    it(`shows the same posts at the same position after ${name}`, async () => {
      await visit('/channel/1');
      await page.getByText('Post 45 of Alpha').scrollIntoViewIfNeeded();
      await page.evaluate(() => window.scrollBy(0, 1500));
      const key = () =>
        page.evaluate<string>(`(() => {
          const root = document.querySelector('#drawn > div')?.shadowRoot ?? document.querySelector('changer-channel').shadowRoot;
          const first = [...root.querySelectorAll('article')].find((article) => article.getBoundingClientRect().bottom > 150);
          return first.dataset.key + ' ' + Math.round(first.getBoundingClientRect().top);
        })()`);
      await page.waitForTimeout(500);
      const before = await key();
      await until(async () => (await readSnapshots(page)).some(([, json]) => !json.endsWith('"scrolled":null}')), 'it is stored');
      await page.addInitScript(`new MutationObserver(() => {
        if (document.querySelector('#drawn > div')?.shadowRoot) window.snapshotSeen = true;
      }).observe(document, { childList: true, subtree: true });`);
      await comeBack();
      await page.waitForFunction(() => Reflect.get(window, 'snapshotSeen') === true);
      assert.equal(await key(), before);
      await appShown(page);
      await page.waitForTimeout(500);
      assert.equal(await key(), before);
      // A new visit starts at the top.
      const next = await openWithoutApp(context, url('/channel/1'));
      await next.getByText('Post 60 of Alpha').waitFor();
      assert.equal(await next.evaluate('scrollY'), 0);
    });

  it('keeps the position of a reader who scrolls before the app has started', async () => {
    await visit('/channel/1');
    const next = await context.newPage();
    const devtools = await context.newCDPSession(next);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    await next.addInitScript(`new MutationObserver((_, observer) => {
      if (!document.getElementById('drawn')) return;
      observer.disconnect();
      window.scrollTo(0, 300);
    }).observe(document, { childList: true, subtree: true });`);
    await next.goto(url('/channel/1'));
    await appShown(next);
    await next.waitForTimeout(300);
    assert.equal(Math.round(await next.evaluate<number>('scrollY')), 300);
  });

  for (const [change, key, value] of [
    ['theme', 'changer_theme', 'dark'],
    ['language', 'changer_locale', 'ru'],
    ['text size', 'changer_text_size', '125'],
  ] as const)
    it(`is not shown after the ${change} has changed`, async () => {
      await visit('/main');
      await page.evaluate(([storageKey, storageValue]) => localStorage.setItem(storageKey, storageValue), [key, value] as const);
      await startsWithoutSnapshot('/main');
    });

  for (const [damage, json] of Object.entries({
    'cut off': '{"path":"/main","cond',
    'not an object': '7',
    markup: '</script><b>',
  }))
    it(`is ignored if it is ${damage}`, async () => {
      await visit('/main');
      await replaceSnapshots(page, json);
      const next = await context.newPage();
      const lines = listen(next);
      await next.goto(url('/main'));
      await next.locator('changer-feed').getByText('Post 60 of Alpha').waitFor();
      assert.equal(await next.locator('body > b').count(), 0);
      noConsoleLines(lines);
    });

  it('of a deleted post disappears with the first response', async () => {
    await fill(store, channel('30', { title: 'Brief' }), 3);
    await visit('/channel/30', 'Post 3 of Brief');
    await store.putMessages([message('30', 4, 'Post 4 of Brief')]);
    await store.hidePost('30', 3, Date.now());
    const next = await context.newPage();
    await next.goto(url('/channel/30'));
    await next.locator('changer-channel').getByText('Post 4 of Brief').waitFor();
    await appShown(next);
  });

  it('of a channel that does not exist any more gives way to the message of the app', async () => {
    await fill(store, channel('31', { title: 'Gone' }), 3);
    await visit('/channel/31', 'Post 3 of Gone');
    await store.putChannel(channel('31', { title: 'Gone', private: true }));
    const next = await context.newPage();
    await next.goto(url('/channel/31'));
    await next.locator('changer-channel').getByRole('heading', { level: 1 }).waitFor();
    await until(async () => !(await next.getByText('Post 3 of Gone').first().isVisible()), 'the posts have disappeared');
    await until(async () => !(await readSnapshots(next)).some(([key]) => key === 'snapshot//channel/31'), 'it is deleted');
  });

  it('is not stored while the device has little space left', async () => {
    await page.addInitScript('navigator.storage.estimate = async () => ({ usage: 90, quota: 100 });');
    await page.goto(url('/main'));
    await workerControls(page);
    await page.locator('changer-feed article').first().waitFor();
    await page.waitForTimeout(6000);
    assert.deepEqual(await readSnapshots(page), []);
    await page.evaluate('navigator.storage.estimate = async () => ({ usage: 10, quota: 100 });');
    await page.evaluate('dispatchEvent(new Event("scroll"))');
    await snapshotStored(page, 'Post 60 of Alpha');
  });

  it('is in the storage of the tab if there is no service worker, for a reload', async () => {
    await context.close();
    await enter({ serviceWorkers: 'block' });
    await page.goto(url('/main'));
    const stored = () => page.evaluate(() => sessionStorage.getItem('changer_snapshot'));
    await until(async () => (await stored())?.includes('Post 60 of Alpha') === true, 'a snapshot is stored');
    await page.addInitScript(WITHOUT_APP);
    await page.reload();
    await snapshotOf(page).getByText('Post 60 of Alpha').waitFor();
  });

  describe('of a signed-in reader', () => {
    const PRIVATE = ['Closed club', 'Adalind'];

    const launchUrl = async (path: string, user: number, name: string): Promise<string> => {
      const data = await (await fetch(url(`/dev/launch-data?user=${user}&name=${name}`))).text();
      return url(path) + launchHash(ANDROID, DARK, data);
    };
    const signIn = async (path: string): Promise<void> => {
      await asTelegram(context);
      await page.goto(await launchUrl(path, 7, 'Adalind'));
      await until(async () => (await page.evaluate(() => sessionStorage.getItem('access_token'))) !== null, 'signed in');
      await workerControls(page);
      await snapshotStored(page, 'Closed club');
    };
    /** Opens a page and asserts that no frame shows anything of the reader. */
    const showsNothing = async (next: Page, open: () => Promise<unknown>): Promise<void> => {
      await recordPaintedTexts(next, PRIVATE);
      await open();
      await next.locator('changer-feed article, changer-feed .empty').first().waitFor();
      await next.waitForTimeout(500);
      assert.deepEqual(await paintedTexts(next), []);
    };

    it('is shown to this reader', async () => {
      await signIn('/main');
      const next = await openWithoutApp(context, await launchUrl('/main', 7, 'Adalind'));
      await snapshotOf(next).getByText('Closed club').first().waitFor();
      // The recorder of the other tests detects it.
      const third = await context.newPage();
      await recordPaintedTexts(third, PRIVATE);
      await third.goto(await launchUrl('/main', 7, 'Adalind'));
      await until(async () => (await paintedTexts(third)).includes('Closed club'), 'it is painted');
    });

    it('is never painted for another reader whom Telegram launches on the device', async () => {
      await signIn('/main');
      const next = await context.newPage();
      const address = await launchUrl('/main', 8, 'Bea');
      await showsNothing(next, () => next.goto(address));
    });

    it('is never painted in a new tab without a sign-in', async () => {
      await signIn('/main');
      const next = await context.newPage();
      await showsNothing(next, () => next.goto(url('/main')));
    });

    it('is never painted after a sign-out: online, offline, by Back, by a reload', async () => {
      await signIn('/main');
      await page.goto(url('/changer'));
      await page.locator('changer-dial [data-row]').first().waitFor();
      await page.evaluate(`document.querySelector('changer-layout').services.environment.signOut()`);
      await until(async () => (await page.evaluate(() => sessionStorage.getItem('access_token'))) === null, 'signed out');
      await until(async () => !JSON.stringify(await readSnapshots(page)).includes('Closed club'), 'its snapshots are deleted');
      await showsNothing(page, () => page.goto(url('/main')));
      await showsNothing(page, () => page.reload());
      await page.goto(url('/changer'));
      await showsNothing(page, () => page.goBack());
      await server.halt();
      try {
        const next = await context.newPage();
        await showsNothing(next, () => next.goto(url('/main')));
      } finally {
        await server.resume();
      }
    });
  });
});
