// Appearance: themes of Telegram, the theme and text size of the reader, and large text.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ANDROID, DARK, LIGHT, launchHash, type PostedMessage } from '../host/host-doubles.ts';
import { type Browser, launchBrowser, markAllPostsUnread, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

let server: RunningServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});
after(async () => {
  await browser.close();
  await server.stop();
});

/** Opens the built app, embedded as in Telegram for Android. */
async function openEmbedded(path: string, size = { width: 390, height: 844 }): Promise<Page> {
  const page = await browser.newPage({ viewport: size });
  // A string, because tsx adds a call of a helper to functions, and the page does not have this helper.
  await page.addInitScript(`
    window.nativePosted = [];
    window.TelegramWebviewProxy = {
      postEvent: (eventType, json) => window.nativePosted.push({ eventType, eventData: JSON.parse(json) }),
    };
  `);
  await page.goto(`${server.origin}${path}${launchHash(ANDROID, DARK)}`);
  await page.locator('.tabs').waitFor();
  return page;
}
const posted = async (page: Page, type: string): Promise<unknown[]> => {
  const all = await page.evaluate(() => (window as unknown as { nativePosted: PostedMessage[] }).nativePosted);
  return all.filter(({ eventType }) => eventType === type).map(({ eventData }) => eventData);
};
const send = (page: Page, type: string, data: unknown) =>
  page.evaluate(([name, value]) => window.Telegram?.WebView?.receiveEvent(name, value), [type, data] as const);
const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
/** Chooses a theme and the step of the text size, from 0, in the menu of the reader. */
async function chooseLook(page: Page, theme: string, size: number): Promise<void> {
  await page.locator('.tabs button').click();
  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByRole('radio', { name: theme }).check();
  await page.getByRole('slider', { name: 'Text size' }).fill(String(size));
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}
const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box, selector);
  return box;
};

describe('the app inside Telegram', () => {
  it('applies a new theme at once, and sends its colours to Telegram', async () => {
    const page = await openEmbedded('/main');
    assert.equal(await styleOf(page, '.bottom', 'background-color'), 'color(srgb 0.0901961 0.129412 0.168627)');
    assert.deepEqual((await posted(page, 'web_app_set_background_color')).at(-1), { color: DARK.secondary_bg_color });
    await send(page, 'theme_changed', { theme_params: { ...LIGHT, bottom_bar_bg_color: '#eeeeee' } });
    assert.equal(await styleOf(page, '.bottom', 'background-color'), 'color(srgb 0.933333 0.933333 0.933333)');
    assert.equal(await styleOf(page, 'h1', 'color'), 'rgb(0, 0, 0)');
    assert.deepEqual((await posted(page, 'web_app_set_background_color')).at(-1), { color: LIGHT.secondary_bg_color });
    assert.deepEqual((await posted(page, 'web_app_set_bottom_bar_color')).at(-1), { color: '#eeeeee' });
    await page.close();
  });

  it('sends the corrected colours of a theme with too little contrast to Telegram', async () => {
    const page = await openEmbedded('/main');
    const grey = Object.fromEntries(Object.keys(LIGHT).map((key) => [key, '#777777']));
    await send(page, 'theme_changed', { theme_params: grey });
    const ground = await page.evaluate(() => document.documentElement.style.getPropertyValue('--changer-ground'));
    assert.notEqual(ground, '#777777');
    assert.deepEqual((await posted(page, 'web_app_set_header_color')).at(-1), { color: ground });
    assert.deepEqual((await posted(page, 'web_app_set_background_color')).at(-1), { color: ground });
    await page.close();
  });

  it('closes an open dialog at Telegram’s back button, and hides the button', async () => {
    const page = await openEmbedded('/main');
    await page.locator('.tabs button').click();
    await page.locator('dialog[open]').waitFor();
    await until(async () => (await posted(page, 'web_app_setup_back_button')).length === 1, 'the button is shown');
    await send(page, 'back_button_pressed', null);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await until(
      async () => (await posted(page, 'web_app_setup_back_button')).length > 1,
      'the state of the button is posted again',
    );
    assert.deepEqual(await posted(page, 'web_app_setup_back_button'), [{ is_visible: true }, { is_visible: false }]);
    assert.equal(new URL(page.url()).pathname, '/main');
    await page.close();
  });

  it('avoids the safe areas of the device and of Telegram on all four sides', async () => {
    const page = await openEmbedded('/test', { width: 844, height: 390 });
    await page.locator('.check').first().waitFor();
    await send(page, 'safe_area_changed', { top: 0, right: 20, bottom: 21, left: 59 });
    await send(page, 'content_safe_area_changed', { top: 46, right: 0, bottom: 0, left: 0 });
    const [tab, lastTab, title] = [await boxOf(page, '.tabs a'), await boxOf(page, '.tabs button'), await boxOf(page, 'h1')];
    assert.ok(tab.x >= 59, `the first tab begins at ${tab.x}`);
    assert.ok(lastTab.x + lastTab.width <= 844 - 20, `the last tab ends at ${lastTab.x + lastTab.width}`);
    assert.ok(lastTab.y + lastTab.height <= 390 - 21, `the tabs end at ${lastTab.y + lastTab.height}`);
    assert.ok(title.y >= 46 && title.x >= 59, `the title begins at ${title.x}, ${title.y}`);
    await page.locator('.tabs button').click();
    const sheet = await boxOf(page, 'dialog[open] h2');
    assert.ok(sheet.y >= 46, `the sheet’s title begins at ${sheet.y}`);
    await page.close();
  });
});

describe('the theme and text size of a reader', () => {
  const DARK_GROUND = 'rgb(18, 19, 22)';
  const LIGHT_GROUND = 'rgb(243, 242, 239)';

  it('are applied before any script of the app runs, and in every tag', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: 'light' });
    await page.goto(`${server.origin}/test`);
    await page.locator('.tabs').waitFor();
    await chooseLook(page, 'Dark', 3);
    assert.equal(await styleOf(page, 'html', 'background-color'), DARK_GROUND);
    assert.equal(await styleOf(page, 'html', 'font-size'), '20px');
    assert.equal(await styleOf(page, 'changer-self-test', 'background-color'), DARK_GROUND);
    assert.equal(await page.locator('meta[name=theme-color]').getAttribute('content'), '#121316');
    await page.route(/assets.*[.]js$/, (route) => route.abort());
    await page.goto(`${server.origin}/nope`);
    assert.equal(await styleOf(page, 'html', 'background-color'), DARK_GROUND);
    assert.equal(await styleOf(page, 'html', 'font-size'), '20px');
    await page.close();
  });

  it('stay light on a dark system, and follow the system again when chosen', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await page.goto(`${server.origin}/test`);
    await page.locator('.tabs').waitFor();
    await chooseLook(page, 'Light', 1);
    assert.equal(await styleOf(page, 'html', 'background-color'), LIGHT_GROUND);
    assert.equal(await styleOf(page, 'changer-self-test', 'background-color'), LIGHT_GROUND);
    await chooseLook(page, 'As the device', 1);
    assert.equal(await styleOf(page, 'html', 'background-color'), DARK_GROUND);
    await page.close();
  });

  it('override Telegram’s theme until the reader chooses it again', async () => {
    const page = await openEmbedded('/test');
    const telegrams = await styleOf(page, 'changer-self-test', 'background-color');
    await chooseLook(page, 'Light', 1);
    assert.equal(await styleOf(page, 'changer-self-test', 'background-color'), LIGHT_GROUND);
    assert.equal(await styleOf(page, 'html', 'background-color'), LIGHT_GROUND);
    assert.deepEqual((await posted(page, 'web_app_set_background_color')).at(-1), { color: '#f3f2ef' });
    await chooseLook(page, 'Dark', 1);
    assert.equal(await styleOf(page, 'changer-self-test', 'background-color'), telegrams);
    await chooseLook(page, 'As in Telegram', 1);
    assert.equal(await styleOf(page, 'changer-self-test', 'background-color'), telegrams);
    assert.deepEqual((await posted(page, 'web_app_set_background_color')).at(-1), { color: DARK.secondary_bg_color });
    await page.close();
  });
});

describe('the app at 320 px with text twice as large', () => {
  // Russian has the longest words, and Arabic has the other direction.
  for (const locale of ['ru', 'ar']) {
    it(`scrolls in one direction only, ${locale}`, async () => {
      const page = await browser.newPage({ viewport: { width: 320, height: 640 }, locale });
      await page.addInitScript("addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'))");
      for (const path of ['/main', '/changer', '/test', '/nope', '/webapp/close']) {
        await page.goto(server.origin + path);
        await page.locator('h1').first().waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 0, `${path}: ${wide} px too wide`);
      }
      await page.close();
    });
  }
});

describe('the app on a phone in landscape', () => {
  it('has low bars, and pictures that fit between them', async () => {
    const page = await browser.newPage({ viewport: { width: 844, height: 390 } });
    await page.goto(`${server.origin}/main`);
    await page.locator('.album').first().waitFor();
    const tabs = await boxOf(page, '.tabs');
    assert.ok(tabs.height <= 44, `the tabs are ${tabs.height} px high`);
    const heights = await page.locator('.album').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    for (const height of heights) assert.ok(height <= 390 - tabs.height - 8, `a picture is ${height} px high`);
    await page.evaluate(() => window.scrollTo({ top: 900, behavior: 'instant' }));
    const top = await boxOf(page, '.top');
    assert.ok(top.y + top.height <= 0, 'the top bar scrolls away');
    await page.close();
  });
});

describe('a row of the line-up', () => {
  for (const [what, width, letters] of [
    ['on a phone', 390, '100%'],
    ['at 320 px, letters twice as large', 320, '200%'],
  ] as const) {
    it(`ends its text before its count and its buttons, ${what}`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 844 } });
      await page.addInitScript(
        (size) => addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = size)),
        letters,
      );
      await markAllPostsUnread(page, server.origin);
      await page.goto(`${server.origin}/changer`);
      await page.locator('.rows .row-unread').first().waitFor();
      const overflowing = await page.locator('.rows .row').evaluateAll((rows) =>
        rows.flatMap((row) => {
          const [end = 0] = [...row.querySelectorAll('.row-unread')].map((number) => number.getBoundingClientRect().left);
          const rightEdges = [...row.querySelectorAll('.row-text *')].map((each) => each.getBoundingClientRect().right);
          return Math.max(...rightEdges) > end + 1 ? [row.textContent] : [];
        }),
      );
      assert.deepEqual(overflowing, []);
      await page.close();
    });
  }
});

describe('the app with forced colours', () => {
  it('marks the current, the selected and the focused item by outlines', async () => {
    const context = await browser.newContext({ forcedColors: 'active', viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${server.origin}/main`);
    await page.locator('article').first().waitFor();
    for (const current of ['.tabs [aria-current]', '.chip[aria-current], .chip[aria-pressed="true"]'])
      assert.notEqual(await styleOf(page, current, 'outline-style'), 'none', current);
    await page.locator('.tabs button').focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor();
    assert.notEqual(await styleOf(page, 'dialog[open]', 'border-top-width'), '0px');
    assert.notEqual(await styleOf(page, '.choice input:checked + span', 'outline-style'), 'none');
    assert.notEqual(await styleOf(page, 'dialog :focus-visible', 'outline-style'), 'none');
    await context.close();
  });
});
