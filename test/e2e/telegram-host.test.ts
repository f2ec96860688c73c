// Telegram host: the messages of our implementation compared with the official client script.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame } from 'playwright-core';
import { APP, serveAt, WEB_CLIENT } from '../host/addresses.ts';
import {
  ANDROID,
  DARK,
  LIGHT,
  launchHash,
  OLD,
  type PostedMessage,
  SILENT,
  SILENT_OLD,
  STRICT,
  type TelegramDouble,
  WEB_A,
  WEB_K,
} from '../host/host-doubles.ts';
import { type PageServer, startPageServer } from '../host/page-server.ts';
import { asTelegram, type Browser, launchBrowser, type Page } from '../support/browser.ts';

const DATA =
  'query_id=q&user=%7B%22id%22%3A77%2C%22first_name%22%3A%22A%22%2C%22language_code%22%3A%22ru%22%7D&auth_date=1700000000&start_param=c_12_3&hash=' +
  'a'.repeat(64);
const MEASUREMENTS_FILE = join(import.meta.dirname, '../../../shared/data/official-client-messages.json');

let browser: Browser;
let appServer: PageServer;
let officialServer: PageServer;
let clientServer: PageServer;

before(async () => {
  [browser, appServer, officialServer, clientServer] = await Promise.all([
    launchBrowser(),
    startPageServer('browser-host-entry.ts'),
    startPageServer('official-client-entry.ts'),
    startPageServer('telegram-client.ts'),
  ]);
});
after(async () => {
  await browser.close();
  await Promise.all([appServer.stop(), officialServer.stop(), clientServer.stop()]);
});

interface OpenedApp {
  readonly page: Page;
  readonly frame: Frame;
  posted(): Promise<readonly string[]>;
  /** Returns the messages that the app posts while `action` runs in it. */
  during(action: () => Promise<unknown>): Promise<readonly string[]>;
  send(type: string, data: unknown): Promise<void>;
}

const line = ({ eventType, eventData }: PostedMessage): string => `${eventType} ${JSON.stringify(eventData)}`;

/** If the app is launched by a host, its host module loads after the document. */
const started = (frame: Frame) =>
  frame.waitForFunction(() => window.host !== undefined || Reflect.get(window, 'official') !== undefined);

/**
 * Opens the app in a double of a client: in a frame on another origin, or as the page itself with the proxy object of Android.
 */
async function open(double: TelegramDouble, server: PageServer, launchData = DATA): Promise<OpenedApp> {
  const context = await browser.newContext();
  const page = await context.newPage();
  return double === ANDROID ? openNative(page, server, launchData) : openFrame(page, double, server, launchData);
}

async function openFrame(page: Page, double: TelegramDouble, server: PageServer, launchData: string): Promise<OpenedApp> {
  await Promise.all([serveAt(page, WEB_CLIENT, clientServer), serveAt(page, APP, server)]);
  await page.goto(WEB_CLIENT);
  await page.evaluate(([name, url, data]) => window.hold(name, url, data), [double.name, `${APP}/main`, launchData] as const);
  const frame = page.frames().find((one) => one.url().startsWith(APP));
  assert.ok(frame);
  await started(frame);
  await frame.evaluate(() =>
    window.addEventListener('message', ({ data }) => {
      if (String(data).includes('test_echo')) window.parent.postMessage('{"eventType":"test_echoed"}', '*');
    }),
  );
  /** Messages are delivered in order. When the echo has returned, all earlier messages have been received. */
  const flushMessages = () =>
    page.evaluate(async () => {
      const { posted } = window.holder;
      window.holder.send('test_echo', null);
      while (posted.at(-1)?.eventType !== 'test_echoed') await new Promise((done) => requestAnimationFrame(done));
      posted.pop();
    });
  const posted = async () => {
    await flushMessages();
    return (await page.evaluate(() => window.holder.posted)).map(line);
  };
  return {
    page,
    frame,
    posted,
    async during(action) {
      const postedBefore = (await posted()).length;
      await action();
      return (await posted()).slice(postedBefore);
    },
    async send(type, data) {
      await page.evaluate(([eventType, eventData]) => window.holder.send(eventType, eventData), [type, data] as const);
      await flushMessages();
    },
  };
}

async function openNative(page: Page, server: PageServer, launchData: string): Promise<OpenedApp> {
  // A string, because tsx adds a call of a helper to functions, and the page does not have this helper.
  await page.addInitScript(`
    window.nativePosted = [];
    window.TelegramWebviewProxy = {
      postEvent: (eventType, json) => window.nativePosted.push({ eventType, eventData: JSON.parse(json) }),
    };
  `);
  await page.goto(`${server.origin}/main${launchHash(ANDROID, DARK, launchData)}`);
  await started(page.mainFrame());
  const posted = async () =>
    (await page.evaluate(() => (window as unknown as { nativePosted: PostedMessage[] }).nativePosted)).map(line);
  return {
    page,
    frame: page.mainFrame(),
    posted,
    async during(action) {
      const postedBefore = (await posted()).length;
      await action();
      return (await posted()).slice(postedBefore);
    },
    send: (type, data) =>
      page.evaluate(([eventType, eventData]) => window.Telegram?.WebView?.receiveEvent(eventType, eventData), [
        type,
        data,
      ] as const),
  };
}

/** The same call on our host and on the official script, by the label of the measurement. */
const CALLS: readonly { label: string; ours: () => void; theirs: string }[] = [
  { label: 'ready', ours: () => window.host.ready(), theirs: 'ready()' },
  { label: 'expand', ours: () => window.host.expand(), theirs: 'expand()' },
  {
    label: 'back.show',
    ours: () => Object.assign(window, { hideBack: window.host.showBackButton(() => {}) }),
    theirs: 'BackButton.show()',
  },
  { label: 'back.hide', ours: () => (window as unknown as { hideBack(): void }).hideBack(), theirs: 'BackButton.hide()' },
  { label: 'closingConfirm', ours: () => window.host.confirmClosing(true), theirs: 'enableClosingConfirmation()' },
  { label: 'swipes', ours: () => window.host.allowVerticalSwipes(false), theirs: 'disableVerticalSwipes()' },
  {
    label: 'header',
    ours: () => window.host.setColors({ header: 'secondary_bg_color' }),
    theirs: "setHeaderColor('secondary_bg_color')",
  },
  { label: 'bg', ours: () => window.host.setColors({ background: '#112233' }), theirs: "setBackgroundColor('#112233')" },
  { label: 'bottom', ours: () => window.host.setColors({ bottomBar: '#112233' }), theirs: "setBottomBarColor('#112233')" },
  {
    label: 'haptic',
    ours: () => {
      for (const kind of ['light', 'selection', 'success'] as const) window.host.haptic(kind);
    },
    theirs: "HapticFeedback.impactOccurred('light').selectionChanged().notificationOccurred('success')",
  },
  {
    label: 'openTgLink',
    ours: () => window.host.openTelegramLink('https://t.me/durov/1'),
    theirs: "openTelegramLink('https://t.me/durov/1')",
  },
  { label: 'openLink', ours: () => window.host.openLink('https://example.com/'), theirs: "openLink('https://example.com/')" },
  { label: 'close', ours: () => window.host.close(), theirs: 'close()' },
];

const MEASUREMENTS: readonly (readonly [string, TelegramDouble])[] = [
  ['iframe 9.6', SILENT],
  ['iframe 6.0', SILENT_OLD],
  ['android proxy', ANDROID],
];

describe('the Telegram host compared with recorded messages of the official client script', {
  skip: existsSync(MEASUREMENTS_FILE) ? false : 'no ../shared/data',
}, () => {
  for (const [label, double] of MEASUREMENTS) {
    it(`posts the same messages in ${label}`, async () => {
      const measured = measurement(label);
      const opened = await open(double, appServer);
      assert.deepEqual((await opened.posted()).slice(0, measured('atLoad').length), measured('atLoad'), 'at load');
      for (const { label: call, ours } of CALLS) {
        assert.deepEqual(await opened.during(() => opened.frame.evaluate(ours)), measured(call), call);
      }
      await opened.page.context().close();
    });
  }
});

describe('the Telegram host compared with the official client script', () => {
  for (const double of [WEB_A, WEB_K, OLD, STRICT, ANDROID]) {
    it(`posts the same messages in ${double.name}`, async () => {
      const [ours, theirs] = await Promise.all([open(double, appServer), open(double, officialServer)]);
      for (const call of CALLS) {
        const posted = await ours.during(() => ours.frame.evaluate(call.ours));
        const expected = await theirs.during(() =>
          theirs.frame.evaluate((text) => {
            try {
              new Function(`Telegram.WebApp.${text}`)();
            } catch {}
          }, call.theirs),
        );
        assert.deepEqual(posted, expected, call.label);
      }
      const next = { theme_params: { ...LIGHT, bottom_bar_bg_color: '#eeeeee' } };
      const ourMessages = await ours.during(() => ours.send('theme_changed', next));
      const theirMessages = await theirs.during(() => theirs.send('theme_changed', next));
      // The official script also sends messages about the main button, which we do not have.
      assert.deepEqual(
        ourMessages,
        theirMessages.filter((text) => !text.includes('main_button')),
        'theme_changed',
      );
      await Promise.all([ours, theirs].map(({ page }) => page.context().close()));
    });
  }
});

describe('the Telegram host', () => {
  const close = (opened: OpenedApp) => opened.page.context().close();
  const hostState = (opened: OpenedApp) =>
    opened.frame.evaluate(() => ({
      kind: window.host.kind,
      platform: window.host.platform,
      version: window.host.version,
      launchData: window.host.launchData(),
      readerId: window.host.readerId(),
      language: window.host.language(),
      startParam: window.host.startParam(),
      path: location.pathname + location.search + location.hash,
    }));

  it('reads the launch data from the address, stores them for a reload, and follows their start parameter once', async () => {
    const opened = await open(ANDROID, appServer);
    const launched = {
      kind: 'telegram',
      platform: 'android',
      version: '9.6',
      launchData: DATA,
      readerId: '77',
      language: 'ru',
      path: '/main',
    };
    assert.deepEqual(await hostState(opened), { ...launched, startParam: 'c_12_3' });
    await opened.page.reload();
    await started(opened.frame);
    assert.deepEqual(await hostState(opened), { ...launched, startParam: null });
    await opened.frame.evaluate(() => window.host.dropLaunchData());
    await opened.page.reload();
    await started(opened.frame);
    assert.deepEqual(await hostState(opened), {
      ...launched,
      launchData: null,
      readerId: null,
      language: null,
      startParam: null,
    });
    await close(opened);
  });

  it('keeps the rest of the address unchanged', async () => {
    const page = await browser.newPage();
    await page.goto(`${appServer.origin}/channel/x?q=a%20b&tgWebAppStartParam=c_1_2#place?tgWebAppData=&tgWebAppVersion=7.0`);
    await started(page.mainFrame());
    const { path, startParam } = await page.evaluate(() => ({
      path: location.pathname + location.search + location.hash,
      startParam: window.host.startParam(),
    }));
    assert.equal(new URL(path, appServer.origin).searchParams.get('q'), 'a b');
    assert.match(path, /^\/channel\/x\?q=[^&]*#place$/);
    assert.equal(startParam, 'c_1_2');
    await page.close();
  });

  it('works if sessionStorage throws', async () => {
    const page = await browser.newPage();
    await page.addInitScript(`
      Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('refused', 'SecurityError'); } });
      window.TelegramWebviewProxy = { postEvent() {} };
    `);
    await page.goto(`${appServer.origin}/main${launchHash(ANDROID, DARK, DATA)}`);
    await started(page.mainFrame());
    assert.equal(await page.evaluate(() => window.host.launchData()), DATA);
    await page.evaluate(() => window.host.dropLaunchData());
    assert.equal(await page.evaluate(() => window.host.launchData()), null);
    await page.close();
  });

  it('keeps the launch data for a reload if the storage is full', async () => {
    const page = await browser.newPage();
    await page.addInitScript(`
      Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
      window.TelegramWebviewProxy = { postEvent() {} };
    `);
    await page.goto(`${appServer.origin}/main${launchHash(ANDROID, DARK, DATA)}`);
    await started(page.mainFrame());
    await page.reload();
    await started(page.mainFrame());
    assert.equal(await page.evaluate(() => window.host.launchData()), DATA);
    await page.close();
  });

  it('accepts new launch data in a document that is already open', async () => {
    const page = await browser.newPage();
    await asTelegram(page);
    await page.goto(`${appServer.origin}/main${launchHash(ANDROID, DARK, DATA)}`);
    await started(page.mainFrame());
    const newLaunchData = DATA.replace('77', '78');
    await page.goto(`${appServer.origin}/main${launchHash(ANDROID, DARK, newLaunchData)}`);
    await page.waitForFunction((expected) => window.host?.launchData() === expected, newLaunchData);
    assert.equal(new URL(page.url()).hash, '');
    await page.close();
  });

  it('opens the chat picker of a native client 9.6 and returns its result, and has no picker elsewhere', async () => {
    const opened = await open(ANDROID, appServer);
    const request = () =>
      opened.frame.evaluate(() => void Object.assign(window, { chosen: window.host.requestChat?.('prepared-1') }));
    const chosen = () => opened.frame.evaluate(() => (window as unknown as { chosen: Promise<string> }).chosen);
    assert.deepEqual(await opened.during(request), ['web_app_request_chat {"req_id":"prepared-1"}']);
    await opened.send('requested_chat_sent', { req_id: 'prepared-1' });
    assert.equal(await chosen(), 'sent');
    await request();
    await opened.send('requested_chat_failed', { req_id: 'prepared-1', error: 'USER_CANCELLED' });
    assert.equal(await chosen(), 'cancelled');
    await close(opened);
    for (const double of [WEB_A, WEB_K, OLD]) {
      const other = await open(double, appServer);
      assert.equal(await other.frame.evaluate(() => typeof window.host.requestChat), 'undefined', double.name);
      await close(other);
    }
  });

  it('asks by a client 6.9 whether the bot may write, and returns the result', async () => {
    for (const double of [ANDROID, WEB_A]) {
      const opened = await open(double, appServer);
      const request = () =>
        opened.frame.evaluate(() => void Object.assign(window, { allowed: window.host.requestWriteAccess?.() }));
      const result = () => opened.frame.evaluate(() => (window as unknown as { allowed: Promise<string> }).allowed);
      assert.match((await opened.during(request)).join(), /^web_app_request_write_access\b/, double.name);
      await opened.send('write_access_requested', { status: 'allowed' });
      assert.equal(await result(), 'allowed');
      await request();
      await opened.send('write_access_requested', { status: 'cancelled' });
      assert.equal(await result(), 'cancelled');
      await close(opened);
    }
    const old = await open(OLD, appServer);
    assert.equal(await old.frame.evaluate(() => typeof window.host.requestWriteAccess), 'undefined');
    await close(old);
  });

  it('asks a client 8.0 whether the app is on the home screen, and requests to add it', async () => {
    const opened = await open(ANDROID, appServer);
    const request = () =>
      opened.frame.evaluate(() => void Object.assign(window, { missing: window.host.homeScreen?.isMissing() }));
    for (const [status, missing] of [
      ['missed', true],
      ['unknown', true],
      ['added', false],
      ['unsupported', false],
    ] as const) {
      assert.deepEqual(await opened.during(request), ['web_app_check_home_screen ""']);
      await opened.send('home_screen_checked', { status });
      assert.equal(await opened.frame.evaluate(() => Promise.resolve<unknown>(Reflect.get(window, 'missing'))), missing);
    }
    assert.deepEqual(await opened.during(() => opened.frame.evaluate(() => window.host.homeScreen?.add())), [
      'web_app_add_to_home_screen ""',
    ]);
    await close(opened);
    const old = await open(OLD, appServer);
    assert.equal(await old.frame.evaluate(() => typeof window.host.homeScreen), 'undefined');
    await close(old);
  });

  it('does nothing in a browser, also in a frame that did not launch it', async () => {
    const page = await browser.newPage();
    await page.goto(clientServer.origin);
    await page.evaluate(async (url) => {
      const received: unknown[] = [];
      Object.assign(window, { heard: received });
      window.addEventListener('message', ({ data }) => received.push(data));
      const frame = document.createElement('iframe');
      frame.src = url;
      const loaded = new Promise((done) => frame.addEventListener('load', done));
      document.body.append(frame);
      await loaded;
    }, `${appServer.otherOrigin}/main?tgWebAppStartParam=c_1_2`);
    const frame = page.frames().find((one) => one.url().startsWith(appServer.otherOrigin));
    assert.ok(frame);
    await started(frame);
    const kind = await frame.evaluate(() => {
      const { host } = window;
      host.ready();
      host.expand();
      host.close();
      host.haptic('light');
      host.showBackButton(() => {})();
      host.confirmClosing(true);
      host.setColors({ header: '#000000' });
      window.parent.postMessage('the end', '*');
      return host.kind;
    });
    assert.equal(kind, 'browser');
    await page.waitForFunction(() => (window as unknown as { heard: unknown[] }).heard.includes('the end'));
    assert.deepEqual(await page.evaluate(() => (window as unknown as { heard: unknown[] }).heard), ['the end']);
    await page.close();
  });

  it('posts nothing for a tag on a page inside Telegram', async () => {
    const opened = await open(WEB_A, appServer);
    const posted = await opened.during(() =>
      opened.frame.evaluate(() => {
        const host = window.createBrowserHost();
        host.ready();
        host.close();
        if (host.launchData() !== null || host.kind !== 'browser') throw new Error('the embedded host read the launch');
      }),
    );
    assert.deepEqual(posted, []);
    await close(opened);
  });

  for (const double of [WEB_A, STRICT, ANDROID]) {
    it(`follows theme, viewport, safe areas and visibility in ${double.name}`, async () => {
      const opened = await open(double, appServer);
      await opened.send('theme_changed', { theme_params: { ...LIGHT, accent_text_color: 'url(evil)' } });
      await opened.send('theme_changed', { theme_params: { hint_color: '#123456' } });
      await opened.send('viewport_changed', { height: 600, is_expanded: false, is_state_stable: true });
      await opened.send('viewport_changed', { height: 500, is_expanded: true, is_state_stable: false });
      await opened.send('safe_area_changed', { top: 20, bottom: 34, left: 0, right: 0 });
      await opened.send('content_safe_area_changed', { top: 46 });
      await opened.send('visibility_changed', { is_visible: false });
      const state = await opened.frame.evaluate(() => ({
        theme: window.host.theme.get(),
        viewport: window.host.viewport.get(),
        active: window.host.active.get(),
      }));
      assert.equal(state.theme.scheme, 'light');
      assert.deepEqual(state.theme.colors, { ...LIGHT, hint_color: '#123456' });
      assert.deepEqual(state.viewport, {
        height: 500,
        stableHeight: 600,
        expanded: true,
        safeArea: { top: 20, right: 0, bottom: 34, left: 0 },
        contentSafeArea: { top: 46, right: 0, bottom: 0, left: 0 },
      });
      assert.equal(state.active, false);
      await close(opened);
    });
  }

  it('keeps the latest theme for a reload', async () => {
    const opened = await open(ANDROID, appServer);
    await opened.send('theme_changed', { theme_params: LIGHT });
    await opened.page.reload();
    await started(opened.frame);
    assert.deepEqual(await opened.frame.evaluate(() => window.host.theme.get()), { scheme: 'light', colors: LIGHT });
    await close(opened);
  });

  it('gets a viewport from Web A, and works without one in Web K', async () => {
    const [withViewport, withoutViewport] = await Promise.all([open(WEB_A, appServer), open(WEB_K, appServer)]);
    await Promise.all([withViewport.posted(), withoutViewport.posted()]);
    const height = (opened: OpenedApp) => opened.frame.evaluate(() => window.host.viewport.get().height);
    assert.deepEqual([await height(withViewport), await height(withoutViewport)], [600, null]);
    assert.equal(await withoutViewport.frame.evaluate(() => window.host.theme.get().scheme), 'dark');
    await Promise.all([close(withViewport), close(withoutViewport)]);
  });

  it('accepts messages only from its parent window', async () => {
    const opened = await open(WEB_A, appServer);
    await opened.frame.evaluate(async () => {
      const received = new Promise((done) => window.addEventListener('message', done, { once: true }));
      window.postMessage(JSON.stringify({ eventType: 'visibility_changed', eventData: { is_visible: false } }), '*');
      await received;
    });
    assert.equal(await opened.frame.evaluate(() => window.host.active.get()), true);
    await close(opened);
  });

  it('ignores malformed messages', async () => {
    const opened = await open(WEB_A, appServer);
    await opened.page.evaluate(() => {
      const frame = document.querySelector('iframe')?.contentWindow;
      for (const data of ['{', 'null', '7', '{"eventType":7}', '{"eventType":"constructor"}', { eventType: 'theme_changed' }]) {
        frame?.postMessage(data, '*');
      }
    });
    await opened.send('theme_changed', null);
    await opened.send('viewport_changed', { height: '600' });
    await opened.send('set_custom_style', '* { display: none }');
    await opened.posted();
    assert.equal(await opened.frame.evaluate(() => window.host.theme.get().scheme), 'dark');
    assert.equal(await opened.frame.evaluate(() => getComputedStyle(document.body).display), 'block');
    await close(opened);
  });

  it('handles messages that a native client sent before the app loaded', async () => {
    const page = await browser.newPage();
    await page.addInitScript('window.TelegramWebviewProxy = { postEvent() {} };');
    await page.route('**/script.js', async (route) => {
      await page.evaluate(() => {
        window.Telegram?.WebView?.receiveEvent('viewport_changed', { height: 321, is_expanded: true, is_state_stable: true });
        window.TelegramGameProxy?.receiveEvent('safe_area_changed', { top: 7 });
        window.TelegramGameProxy_receiveEvent?.('visibility_changed', { is_visible: false });
      });
      await route.continue();
    });
    await page.goto(`${appServer.origin}/main${launchHash(ANDROID, DARK, DATA)}`);
    await started(page.mainFrame());
    const state = await page.evaluate(() => [
      window.host.viewport.get().height,
      window.host.viewport.get().safeArea.top,
      window.host.active.get(),
    ]);
    assert.deepEqual(state, [321, 7, false]);
    await page.close();
  });

  it('calls only the latest handler of the back button', async () => {
    const opened = await open(WEB_A, appServer);
    const posted = await opened.during(async () => {
      await opened.frame.evaluate(() => {
        const pressed: string[] = [];
        const hideFirst = window.host.showBackButton(() => pressed.push('first'));
        const hideSecond = window.host.showBackButton(() => pressed.push('second'));
        Object.assign(window, { pressed, hideFirst, hideSecond });
      });
      await opened.send('back_button_pressed', null);
      await opened.frame.evaluate('hideSecond()');
      await opened.send('back_button_pressed', null);
      await opened.frame.evaluate('hideFirst()');
      await opened.send('back_button_pressed', null);
    });
    assert.deepEqual(await opened.frame.evaluate('pressed'), ['second', 'first']);
    assert.deepEqual(posted, ['web_app_setup_back_button {"is_visible":true}', 'web_app_setup_back_button {"is_visible":false}']);
    await close(opened);
  });

  it('requests a confirmation before closing while there are unsaved changes, and posts each state once', async () => {
    const opened = await open(WEB_A, appServer);
    const confirm = (...calls: boolean[]) =>
      opened.during(() =>
        opened.frame.evaluate((all) => all.forEach((needed) => void window.host.confirmClosing(needed)), calls),
      );
    const closingBehavior = (needed: boolean) => [`web_app_setup_closing_behavior {"need_confirmation":${needed}}`];
    assert.deepEqual(await confirm(true, true), closingBehavior(true));
    assert.deepEqual(await confirm(false), []);
    assert.deepEqual(await confirm(false, false), closingBehavior(false));
    assert.deepEqual(await confirm(true), closingBehavior(true));
    await close(opened);
  });

  it('reloads on request of the web client and keeps its launch data, also if the frame has no storage', async () => {
    const opened = await open(WEB_A, appServer);
    await opened.frame.evaluate('window.before = true');
    await opened.page.evaluate(() => window.holder.send('reload_iframe', null));
    await opened.frame.waitForFunction(() => Reflect.get(window, 'before') === undefined && window.host !== undefined);
    assert.equal(await opened.frame.evaluate(() => window.host.launchData()), DATA);
    const posted = await opened.page.evaluate(() => window.holder.posted.map(({ eventType }) => eventType));
    assert.ok(posted.includes('iframe_will_reload'));
    await close(opened);
  });

  it('opens only web URLs', async () => {
    const opened = await open(WEB_A, appServer);
    const posted = await opened.during(() =>
      opened.frame.evaluate(() => {
        window.host.openLink('javascript:alert(1)');
        window.host.openTelegramLink('https://evil.example/durov');
      }),
    );
    assert.deepEqual(posted, []);
    await close(opened);
  });

  it('shares inside Telegram by Telegram’s own dialog', async () => {
    const opened = await open(WEB_A, appServer);
    const posted = await opened.during(() =>
      opened.frame.evaluate(() => window.host.share('https://c.example/?a=1&b=2', 'one + one')),
    );
    assert.deepEqual(posted, [
      'web_app_open_tg_link {"path_full":"/share/url?url=https%3A%2F%2Fc.example%2F%3Fa%3D1%26b%3D2&text=one%20%2B%20one"}',
    ]);
    await close(opened);
  });
});

/** Returns a function that reads the messages with a label, without the prefix of the transport. */
function measurement(label: string): (call: string) => string[] {
  const all = JSON.parse(readFileSync(MEASUREMENTS_FILE, 'utf8')) as Record<string, unknown>[];
  const found = all.find((one) => one.label === label);
  assert.ok(found, label);
  return (call) =>
    (found[call] as string[]).flatMap((text) => {
      if (text.startsWith('proxy ')) return [text.slice('proxy '.length)];
      return text.startsWith('{') ? [line(JSON.parse(text.replace(/ -> \*$/, '')) as PostedMessage)] : [];
    });
}
