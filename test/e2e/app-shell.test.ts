// App shell: router, links, auth guard and errors of lazy pages.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ANDROID, DARK, LIGHT, launchHash } from '../host/host-doubles.ts';
import { type PageServer, sendJson, startPageServer } from '../host/page-server.ts';
import { asTelegram, type Browser, launchBrowser, listen, type Page, until } from '../support/browser.ts';

const DATA = `user=%7B%22id%22%3A77%2C%22first_name%22%3A%22A%22%7D&auth_date=1700000000&hash=${'a'.repeat(64)}`;
const LAUNCH_HASH = launchHash(ANDROID, DARK, DATA);

let browser: Browser;
let pageServer: PageServer;
let page: Page;
let signIns: string[] = [];
/** The response to a sign-in. With null, the server never responds. */
let signInResponse: { status: number; body: unknown } | null;
let hangingResponses: ServerResponse[] = [];

before(async () => {
  [browser, pageServer] = await Promise.all([launchBrowser(), startPageServer('shell-entry.ts')]);
  pageServer.answer = (request, response, body) => {
    if (request.url === '/api/me') return sendJson(response, 401, { detail: 'no' });
    if (request.url !== '/api/telegram/auth/webapp') return false;
    signIns.push(body);
    if (signInResponse === null) hangingResponses.push(response);
    return signInResponse === null ? true : sendJson(response, signInResponse.status, signInResponse.body);
  };
});
after(async () => {
  await browser.close();
  await pageServer.stop();
});
beforeEach(async () => {
  signIns = [];
  hangingResponses = [];
  signInResponse = { status: 200, body: { 'Access-Token': 'token' } };
  await page?.close();
  page = await browser.newPage();
});

/** Opens a path with launch data, in Telegram. */
const openLaunched = async (path: string) => {
  await asTelegram(page);
  await open(`${path}${LAUNCH_HASH}`);
};
const waitUntilMounted = () => page.waitForFunction(() => window.shell !== undefined);
const go = async (path: string, options?: { replace: boolean }) => {
  await waitUntilMounted();
  await page.evaluate(([to, how]) => window.shell.navigate(to, how), [path, options] as const);
};
const shownPages = () => page.evaluate(() => window.shown);
/** Waits until this many pages have been shown. */
const pages = async (count: number) => {
  await page.waitForFunction((minimum) => window.shown.length >= minimum, count);
  return shownPages();
};
const open = async (path: string) => {
  await page.goto(pageServer.origin + path);
  await pages(1);
};
const path = () => page.evaluate(() => location.pathname + location.search + location.hash);
const token = () => page.evaluate(() => sessionStorage.getItem('access_token'));

describe('the router', () => {
  const ROUTES = [
    ['/main', 'changer-feed {}'],
    ['/main/', 'changer-feed {}'],
    ['/main?show=a=b%20c', 'changer-feed {"show":"a=b c"}'],
    ['/changer?n=3', 'changer-dial {"n":"3"}'],
    ['/test', 'changer-self-test {}'],
    ['/notifications', 'changer-notifications {}'],
    ['/channel/city%20news?post=7&id=no', 'changer-channel {"post":"7","id":"city news"}'],
    ['/webapp/close', 'changer-close-webapp {}'],
    ['/nowhere', 'changer-not-found {}'],
    ['/mainx', 'changer-not-found {}'],
    ['/channel/', 'changer-not-found {}'],
    ['/channel/a/b', 'changer-not-found {}'],
    ['/main//', 'changer-not-found {}'],
    ['//main', 'changer-not-found {}'],
    ['/channel/%E0%A4%A', 'changer-not-found {}'],
    ['/%E0%A4%A', 'changer-not-found {}'],
    ['/main?q=%E0%A4%A', 'changer-feed {"q":"\uFFFD%A"}'],
  ] as const;
  for (const [address, page] of ROUTES) {
    it(`shows ${page.split(' ')[0]} at ${address}, on load and after a navigation`, async () => {
      await open(address);
      assert.deepEqual(await shownPages(), [page]);
      await open('/test?first');
      await go(address);
      assert.equal(await path(), address);
      if (!page.startsWith('changer-self-test')) assert.equal((await pages(2))[1], page);
    });
  }

  it('redirects / to /main without a history entry', async () => {
    await open('/?x=1');
    assert.deepEqual([await path(), await shownPages()], ['/main?x=1', ['changer-feed {"x":"1"}']]);
    const before = await page.evaluate(() => history.length);
    await go('/changer');
    await go('/');
    assert.equal(await path(), '/main');
    assert.equal(await page.evaluate(() => history.length), before + 2);
  });

  it('keeps the layout mounted across its child pages, and renders other pages without it', async () => {
    await open('/main');
    await page.evaluate(() => Object.assign(window, { layout: document.querySelector('changer-layout') }));
    await go('/changer');
    await pages(2);
    assert.ok(
      await page.evaluate("document.querySelector('changer-layout') === layout && layout.getAttribute('path') === '/changer'"),
    );
    assert.equal(await page.locator('changer-layout > changer-dial').count(), 1);
    for (const alone of ['/webapp/close', '/nowhere']) {
      await go(alone);
      await page.waitForFunction(() => document.querySelector('changer-layout') === null);
    }
    await go('/main');
    await page.waitForSelector('changer-layout > changer-feed');
  });

  it('scrolls to the top left after every navigation, and after a click on the same link again', async () => {
    await open('/main');
    const scrolled = () => page.evaluate(() => [window.scrollX, window.scrollY]);
    const scroll = () => page.evaluate(() => window.scrollTo(300, 500));
    for (const [address, count] of [
      ['/changer', 2],
      ['/main', 3],
    ] as const) {
      await scroll();
      await go(address);
      await pages(count);
      assert.deepEqual(await scrolled(), [0, 0]);
    }
    await scroll();
    await go('/main');
    assert.deepEqual(await scrolled(), [0, 0]);
    await scroll();
    await page.goBack();
    await pages(4);
    assert.deepEqual(await scrolled(), [0, 0]);
    assert.equal(await page.evaluate(() => history.scrollRestoration), 'manual');
  });

  it('adds no history entry for the same address, or for a replacement', async () => {
    await open('/main');
    const before = await page.evaluate(() => history.length);
    await go('/main');
    await go('/main?show=unread', { replace: true });
    assert.equal(await page.evaluate(() => history.length), before);
    assert.equal(await path(), '/main?show=unread');
  });

  it('keeps the page, its state and the focus if only the query changes', async () => {
    await open('/channel/x');
    await page.evaluate(() => {
      const input = document.createElement('input');
      document.querySelector('changer-channel')?.append(input);
      input.focus();
    });
    await go('/channel/x?q=a');
    await page.waitForFunction(() => Reflect.get(document.querySelector('changer-channel') ?? {}, 'params')?.q === 'a');
    assert.equal(await page.evaluate(() => document.activeElement?.localName), 'input');
    await go('/channel/y');
    assert.equal((await pages(2))[1], 'changer-channel {"id":"y"}');
    assert.equal(await page.locator('changer-channel').getAttribute('channel-id'), 'y');
  });

  it('puts the name of each page into the document title, announces it, and moves the focus to the page', async () => {
    await open('/main');
    assert.equal(await page.title(), 'Brand');
    await go('/test');
    await pages(2);
    assert.equal(await page.title(), 'Check this app · Brand');
    assert.equal(await page.locator('[aria-live]').textContent(), 'Check this app · Brand');
    assert.equal(await page.evaluate(() => document.activeElement?.localName), 'changer-self-test');
  });

  it('goes back and forward', async () => {
    await open('/main');
    await go('/changer');
    await pages(2);
    await page.goBack();
    await pages(3);
    await page.goForward();
    assert.deepEqual(
      (await pages(4)).map((tag) => tag.split(' ')[0]),
      ['changer-feed', 'changer-dial', 'changer-feed', 'changer-dial'],
    );
  });

  it('goes back to the previous page, or replaces the entry with the given page if there is none', async () => {
    await open('/channel/1');
    const before = await page.evaluate(() => history.length);
    await page.evaluate(() => window.shell.back('/changer'));
    await pages(2);
    assert.equal(await path(), '/changer');
    assert.equal(await page.evaluate(() => history.length), before);
    await go('/channel/1');
    await pages(3);
    await page.evaluate(() => window.shell.back('/main'));
    await pages(4);
    assert.equal(await path(), '/changer');
  });
});

describe('links', () => {
  const click = (html: string, init: object = {}) =>
    page.evaluate(
      ([markup, options]) => {
        const holder = document.createElement('div');
        holder.attachShadow({ mode: 'open' }).innerHTML = markup;
        document.body.append(holder);
        let prevented = false;
        window.addEventListener(
          'click',
          (event) => {
            prevented = event.defaultPrevented;
            event.preventDefault();
          },
          { once: true },
        );
        holder.shadowRoot
          ?.querySelector('span')
          ?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, ...options }));
        return prevented;
      },
      [html, init] as const,
    );

  it('navigate to pages of the app, also from a shadow root', async () => {
    await open('/main');
    assert.equal(await click('<a href="/channel/x?post=1"><span>x</span></a>'), true);
    assert.equal((await pages(2))[1], 'changer-channel {"post":"1","id":"x"}');
  });

  const BROWSER_HANDLED_CLICKS = [
    ['another origin', '<a href="https://example.com/main"><span></span></a>', {}],
    ['a new tab', '<a href="/changer" target="_blank"><span></span></a>', {}],
    ['a download', '<a href="/changer" download><span></span></a>', {}],
    ['a file of the server', '<a href="/media/x.png"><span></span></a>', {}],
    ['an address of mail', '<a href="mailto:a@b.c"><span></span></a>', {}],
    ['a place on the page', '<a href="#place"><span></span></a>', {}],
    ['a click with Ctrl', '<a href="/changer"><span></span></a>', { ctrlKey: true }],
    ['a click with Meta', '<a href="/changer"><span></span></a>', { metaKey: true }],
    ['a click with Shift', '<a href="/changer"><span></span></a>', { shiftKey: true }],
    ['the middle button', '<a href="/changer"><span></span></a>', { button: 1 }],
  ] as const;
  for (const [what, html, init] of BROWSER_HANDLED_CLICKS) {
    it(`leave ${what} to the browser`, async () => {
      await open('/main');
      assert.equal(await click(html, init), false);
      assert.deepEqual(await shownPages(), ['changer-feed {}']);
    });
  }

  it('open external pages by Telegram inside Telegram', async () => {
    await native();
    await openLaunched('/main');
    await click('<a href="https://t.me/durov/1" target="_blank"><span></span></a>');
    await click('<a href="https://example.com/a"><span></span></a>');
    const posted = await page.evaluate('posted');
    assert.deepEqual((posted as unknown[]).slice(-2), [
      ['web_app_open_tg_link', { path_full: '/durov/1' }],
      ['web_app_open_link', { url: 'https://example.com/a' }],
    ]);
  });
});

/** Prepares the page as one in Telegram for Android. */
const native = () =>
  page.addInitScript(
    'window.posted = []; window.TelegramWebviewProxy = { postEvent: (type, json) => window.posted.push([type, JSON.parse(json)]) };',
  );
const posted = (type: string) =>
  page.evaluate(
    (wantedName) => (window as unknown as { posted: [string, unknown][] }).posted.filter(([name]) => name === wantedName),
    type,
  );

describe('the auth guard', () => {
  it('signs in before the first page if there is launch data and no token', async () => {
    await openLaunched('/main');
    assert.deepEqual(signIns, [JSON.stringify({ initData: DATA })]);
    assert.equal(await token(), 'token');
    assert.equal(await page.evaluate(() => window.signedIn), 1);
    await go('/changer');
    await pages(2);
    assert.equal(signIns.length, 1);
  });

  it('does nothing in a browser, or if there is a token', async () => {
    await open('/main');
    await page.evaluate(() => sessionStorage.setItem('access_token', 'kept'));
    await openLaunched('/changer');
    assert.deepEqual([signIns.length, await token()], [0, 'kept']);
  });

  it('logs a failure, clears the token, and lets the navigation proceed', async () => {
    signInResponse = { status: 503, body: { detail: 'No bot token.' } };
    const lines = listen(page);
    await openLaunched('/main');
    assert.deepEqual(await shownPages(), ['changer-feed {}']);
    assert.ok(lines.some((line) => line.startsWith('error: Error during Telegram authentication: ApiError: No bot token.')));
    assert.equal(await token(), null);
    await go('/changer');
    await pages(2);
    assert.equal(signIns.length, 2);
  });

  it('signs in once for overlapping navigations, and the last navigation wins', async () => {
    signInResponse = null;
    await asTelegram(page);
    await page.goto(`${pageServer.origin}/main${LAUNCH_HASH}`);
    await waitUntilMounted();
    await page.evaluate(() => {
      window.shell.navigate('/changer');
      window.shell.navigate('/channel/x');
      window.shell.navigate('/test');
    });
    await pages(1);
    assert.deepEqual([await shownPages(), signIns.length, await path()], [['changer-self-test {}'], 1, '/test']);
  });

  it('clears a token that another source stored during a sign-in that fails', async () => {
    signInResponse = null;
    await asTelegram(page);
    await page.goto(`${pageServer.origin}/main${LAUNCH_HASH}`);
    await until(async () => signIns.length === 1, 'a sign-in is in progress');
    await page.evaluate(() => sessionStorage.setItem('access_token', 'elsewhere'));
    await page.waitForFunction(() => window.shown.length > 0);
    for (const response of hangingResponses) sendJson(response, 500, {});
    await page.waitForFunction(() => window.failed === 1);
    assert.equal(await token(), null);
  });

  it('delays a navigation for at most 1.5 s while a sign-in hangs', async () => {
    signInResponse = null;
    await asTelegram(page);
    await page.goto(`${pageServer.origin}/main${LAUNCH_HASH}`);
    await waitUntilMounted();
    const waited = await page.evaluate(async () => {
      const from = performance.now();
      while (window.shown.length === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      return [from, performance.now()];
    });
    assert.ok((waited[1] ?? 0) >= 1400 && (waited[1] ?? 0) < 15_000, `shown after ${waited[1]} ms`);
    const secondDelay = await page.evaluate(async () => {
      const from = performance.now();
      window.shell.navigate('/changer');
      while (window.shown.length === 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - from;
    });
    assert.ok(secondDelay >= 1400 && secondDelay < 15_000, `shown after ${secondDelay} ms`);
  });

  it('does not wait for a sign-in if the data of the reader is cached on the device', async () => {
    signInResponse = null;
    await page.addInitScript(() => {
      localStorage.setItem('known', 'yes');
      const { setTimeout } = window;
      // The timeout of the guard never ends.
      Reflect.set(window, 'setTimeout', (callback: () => void, ms = 0) => (ms === 1500 ? 0 : setTimeout(callback, ms)));
    });
    await asTelegram(page);
    await page.goto(`${pageServer.origin}/main${LAUNCH_HASH}`);
    await pages(1);
    assert.deepEqual([await shownPages(), signIns.length], [['changer-feed {}'], 1]);
  });

  it('does not lose a Back during a sign-in', async () => {
    await open('/main');
    await go('/test');
    await pages(2);
    signInResponse = null;
    await asTelegram(page);
    await page.goto(`${pageServer.origin}/changer${LAUNCH_HASH}`);
    await go('/channel/x');
    await page.goBack();
    assert.deepEqual(await pages(1), ['changer-dial {}']);
    assert.equal(await path(), '/changer');
  });

  it('signs in again after a 401 cleared the token', async () => {
    await openLaunched('/main');
    await page.evaluate(() =>
      (window as unknown as { client: { get(path: string): Promise<unknown> } }).client.get('/api/me').catch(() => {}),
    );
    assert.equal(await token(), null);
    await go('/changer');
    await pages(2);
    assert.deepEqual([signIns.length, await token()], [2, 'token']);
  });
});

describe('the app shell', () => {
  it('sends ready and expand to Telegram once', async () => {
    await native();
    await openLaunched('/main');
    await go('/changer');
    await pages(2);
    assert.deepEqual(
      [await posted('web_app_ready'), await posted('web_app_expand')],
      [[['web_app_ready', '']], [['web_app_expand', '']]],
    );
  });

  it('closes the mini app on entry to /webapp/close, then shows its page', async () => {
    await native();
    await openLaunched('/webapp/close');
    assert.deepEqual(await posted('web_app_close'), [['web_app_close', {}]]);
    assert.deepEqual(await shownPages(), ['changer-close-webapp {}']);
  });

  it('does not close the mini app if another navigation replaced this one', async () => {
    await native();
    signInResponse = null;
    await asTelegram(page);
    await page.goto(`${pageServer.origin}/webapp/close${LAUNCH_HASH}`);
    await go('/main');
    await pages(1);
    assert.deepEqual([await shownPages(), await posted('web_app_close')], [['changer-feed {}'], []]);
  });

  it('does not show a page whose chunk loads after another navigation', async () => {
    await open('/main');
    await page.evaluate(() => window.late.add('changer-dial'));
    await go('/changer');
    await go('/test');
    await pages(2);
    await page.evaluate(async () => {
      window.release();
      await new Promise((resolve) => setTimeout(resolve));
    });
    assert.deepEqual(await shownPages(), ['changer-feed {}', 'changer-self-test {}']);
  });

  it('shows Telegram’s back button outside the tabs, and goes back when it is pressed', async () => {
    await native();
    await openLaunched('/main');
    assert.deepEqual(await posted('web_app_setup_back_button'), []);
    await go('/channel/x');
    await pages(2);
    await page.evaluate(() => window.Telegram?.WebView?.receiveEvent('back_button_pressed', null));
    await pages(3);
    assert.equal(await path(), '/main');
    assert.deepEqual(await posted('web_app_setup_back_button'), [
      ['web_app_setup_back_button', { is_visible: true }],
      ['web_app_setup_back_button', { is_visible: false }],
    ]);
  });

  it('opens the post of a start parameter, and goes back from it to /main', async () => {
    await native();
    await open(`/main${launchHash(ANDROID, DARK, `start_param=c_123_45&${DATA}`)}`);
    assert.deepEqual([await path(), await shownPages()], ['/channel/123?post=45', ['changer-channel {"post":"45","id":"123"}']]);
    await page.evaluate(() => window.Telegram?.WebView?.receiveEvent('back_button_pressed', null));
    await pages(2);
    assert.equal(await path(), '/main');
  });

  it('shows within the layout that a page cannot be loaded, and shows the page when it loads later', async () => {
    await open('/main');
    await page.evaluate(() => {
      Object.assign(window, { layout: document.querySelector('changer-layout') });
      window.missing.add('changer-dial');
    });
    await go('/changer');
    await page.waitForSelector('changer-layout > [role=alert] button');
    assert.ok(
      await page.evaluate("document.querySelector('changer-layout') === layout && layout.getAttribute('path') === '/changer'"),
    );
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'alert');
    await page.evaluate(() => window.missing.clear());
    await page.click('[role=alert] button');
    assert.equal((await pages(2))[1], 'changer-dial {}');
    assert.equal(await page.evaluate(() => document.activeElement?.localName), 'changer-dial');
    assert.equal(await page.locator('[role=alert]').count(), 0);
  });

  it('navigates to another page from one that cannot be loaded', async () => {
    await open('/main');
    await page.evaluate(() => window.missing.add('changer-dial'));
    await go('/changer');
    await page.waitForSelector('[role=alert] button');
    await go('/test');
    assert.equal((await pages(2))[1], 'changer-self-test {}');
  });

  it('reloads the document if a second attempt fails, because the browser may cache the failure, but only online', async () => {
    await open('/main');
    await page.evaluate(() => window.missing.add('changer-dial'));
    await go('/changer');
    await page.context().setOffline(true);
    const alert = await page.$('[role=alert]');
    await page.click('[role=alert] button');
    await page.waitForFunction((previous) => previous?.isConnected === false, alert);
    await page.waitForSelector('[role=alert] button');
    assert.deepEqual(await shownPages(), ['changer-feed {}']);
    await page.context().setOffline(false);
    await Promise.all([page.waitForEvent('load'), page.click('[role=alert] button')]);
    assert.deepEqual(await pages(1), ['changer-dial {}']);
  });

  it('still works after a page throws', async () => {
    await open('/main');
    await page.evaluate(() => {
      customElements.define(
        'changer-dial',
        class extends HTMLElement {
          constructor() {
            super();
            throw new Error('broken');
          }
        },
      );
    });
    await go('/changer');
    await go('/test');
    assert.equal((await pages(2))[1], 'changer-self-test {}');
  });

  it('applies Telegram’s theme to the document and its tags, with corrected contrast and live updates', async () => {
    await native();
    await openLaunched('/main');
    const role = (name: string) =>
      page.evaluate((property) => document.documentElement.style.getPropertyValue(property), `--changer-${name}`);
    assert.deepEqual([await role('ground'), await role('surface'), await role('text')], ['#232e3c', '#17212b', '#f5f5f5']);
    assert.notEqual(await role('text-soft'), DARK.hint_color);
    assert.equal(await page.locator('changer-feed').getAttribute('theme'), 'dark');
    await page.evaluate((theme) => window.Telegram?.WebView?.receiveEvent('theme_changed', { theme_params: theme }), LIGHT);
    assert.deepEqual([await role('ground'), await role('line')], ['#f4f4f5', '#e5e5e5']);
    assert.equal(await page.locator('changer-feed').getAttribute('theme'), 'light');
    await page.evaluate(() => window.Telegram?.WebView?.receiveEvent('content_safe_area_changed', { top: 46 }));
    assert.match(await role('safe-top'), /46px/);
  });

  it('does not change the style of the document in a browser', async () => {
    await open('/main');
    assert.equal(await page.evaluate(() => document.documentElement.getAttribute('style')), null);
  });
});
