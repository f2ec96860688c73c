/**
 * Screenshot stage: opens pages of the app, alone or inside Telegram's host page, and replaces responses of the server.
 */
import type { BrowserContext, Frame, Page, Route } from 'playwright-core';
import { CLIENT_SIZES, type Look } from './looks.ts';
import type { Site } from './site.ts';
import type { Body, Stage, StubResponse } from './state.ts';

/**
 * Last user id. Each page in Telegram is opened by a new user, because the server stores the state of previous ones.
 */
let lastUserId = 1000;

/** Width and height in px that the host page needs in addition to the app's frame. */
const HOST_WIDTH = 400;
const HOST_HEIGHT = 120;

/** Creates the stage of one state: a page of a context, at the first size of a look. */
export async function createStage(context: BrowserContext, site: Site, { host, locale, shots: [first] }: Look): Promise<Stage> {
  if (first === undefined) throw new Error('A look has no picture');
  const { size } = first;
  const page = await context.newPage();
  let userId = ++lastUserId;
  let app: Page | Frame = page;
  /** Telegram's launch data without its theme: the app uses its own theme. */
  let launchHash = '';
  /** Selector of the element that defines the state. */
  let stateSelector = 'body';
  const waitFor = (selector: string) => {
    stateSelector = selector;
    return app.locator(selector).first().waitFor();
  };
  const stage: Stage = {
    page,
    origin: site.origin,
    thirdPartyOrigin: site.thirdPartyOrigin,
    get app() {
      return app;
    },
    waitFor,
    isInState: () => app.locator(stateSelector).first().isVisible(),
    async open(path, selector) {
      if (host === 'browser') await page.goto(site.origin + path + launchHash);
      else app = await launch(page, site, { path, user: userId, size: CLIENT_SIZES.get(size.width) ?? '' });
      await waitFor(selector);
    },
    async signIn(role) {
      if (role === 'operator') userId = site.operator;
      if (host === 'telegram') return;
      await page.addInitScript('window.TelegramWebviewProxy ??= { postEvent() {} };');
      launchHash = `#${new URLSearchParams({ tgWebAppData: await site.launchData(userId, locale), tgWebAppVersion: '9.6', tgWebAppPlatform: 'web' })}`;
    },
    click: (selector, index = 0) => app.locator(selector).nth(index).click(),
    async press(...keys) {
      // Telegram's page has the focus until the app is used.
      await app.evaluate(() => window.focus());
      for (const key of keys) await page.keyboard.press(key);
    },
    async stubResponse(path, stub) {
      await page.route(matchesPath(path), (route) => respond(route, stub));
    },
    async modifyResponse(path, change, method) {
      await page.route(matchesPath(path), async (route) => {
        if (method !== undefined && route.request().method() !== method) return route.fallback();
        const response = await route.fetch();
        const body: Body = await response.json();
        await route.fulfill({ response, json: change(body) });
      });
    },
  };
  await page.setViewportSize(host === 'browser' ? size : { width: size.width + HOST_WIDTH, height: size.height + HOST_HEIGHT });
  return stage;
}

const matchesPath = (path: RegExp) => (url: URL) => path.test(url.pathname);

async function respond(route: Route, stub: StubResponse): Promise<void> {
  if (stub === 'down') return route.abort();
  if (stub !== 'never') return route.fulfill({ status: stub.status ?? 200, json: stub.body });
}

interface Launch {
  readonly path: string;
  readonly user: number;
  readonly size: string;
}

/** Opens the host page with its form filled in, so that it launches the app only once. */
async function launch(page: Page, { origin }: Site, { path, user, size }: Launch): Promise<Frame> {
  const url = `${origin}/dev/telegram`;
  const html = await (await fetch(url)).text();
  const filledHtml = html
    .replace('name="path" value="/main"', `name="path" value="${path.replaceAll('&', '&amp;')}"`)
    .replace('name="user" type="number" min="1" value="1"', `name="user" type="number" value="${user}"`)
    .replace('<select name="size"></select>', `<select name="size"><option>${size}</option></select>`)
    .replace('<select name="theme"></select>', '<select name="theme"><option>Dark</option></select>');
  await page.unroute(url);
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: filledHtml }));
  await page.goto(url);
  const frame = await (await page.waitForSelector('#app iframe')).contentFrame();
  if (frame === null) throw new Error('The host page contains no frame');
  return frame;
}
