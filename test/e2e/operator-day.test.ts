// Operator workflow: from a first channel to its undone disconnection, by mouse and by keyboard, in several languages.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { loadMessages, type Messages, str } from '../../src/i18n/i18n.ts';
import { loadAreaMessages } from '../../src/i18n/lazy-messages.ts';
import type { Locale } from '../../src/i18n/locale.ts';
import { startBotApi } from '../bot-api/bot-api.ts';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { asTelegram, type Browser, launchBrowser, listen, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

type Locator = ReturnType<Page['locator']>;
/** Activates a control: clicks it, or moves the focus to it by Tab and presses Enter. */
type Activate = (page: Page, control: Locator) => Promise<void>;

const byMouse: Activate = (_page, control) => control.click();

const byKeyboard: Activate = async (page, control) => {
  await control.waitFor();
  const isFocused = () => control.evaluate((element) => element.matches(':focus'));
  for (let tabs = 0; tabs < 100 && !(await isFocused()); tabs += 1) await page.keyboard.press('Tab');
  assert.ok(await isFocused(), `Tab reaches ${control}`);
  await page.keyboard.press('Enter');
};

const DAYS = [
  { locale: 'en', width: 1280, height: 800, how: 'by mouse', hand: byMouse },
  { locale: 'ar', width: 390, height: 844, how: 'by keyboard', hand: byKeyboard },
] as const;

describe('the workflow of an operator', () => {
  let telegram: Awaited<ReturnType<typeof startBotApi>>;
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    telegram = await startBotApi();
    const { root, token, operator } = telegram;
    const env = { BOT_API_ROOT: root, BOT_TOKEN: token, OPERATOR_IDS: String(operator.id), DEMO: 'off' };
    server = await startServer({ development: true, env });
  });
  afterEach(async () => {
    await server.stop();
    await telegram.close();
  });

  /** Opens the app as Telegram does, for a user with a language. */
  async function launch(page: Page, user: number, locale: Locale, path: string): Promise<void> {
    const data = await (await fetch(`${server.origin}/dev/launch-data?user=${user}&name=Olga&language=${locale}`)).text();
    await asTelegram(page);
    await page.goto(`${server.origin}${path}${launchHash(ANDROID, DARK, data)}`);
  }

  async function openPage(locale: Locale, width: number, height: number): Promise<Page> {
    const context = await browser.newContext({ locale, viewport: { width, height }, serviceWorkers: 'block' });
    return context.newPage();
  }

  async function passesAxe(page: Page, label: string): Promise<void> {
    await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
    // A sheet that moves is partly transparent.
    await page.evaluate(() => {
      for (const { shadowRoot } of document.querySelectorAll('*'))
        for (const animation of shadowRoot?.getAnimations() ?? [])
          if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    });
    const violations = await page.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join())]))`,
    );
    assert.deepEqual(violations, [], label);
  }

  const statusOf = async (path: string): Promise<number> => (await fetch(`${server.origin}/api${path}`)).status;

  for (const { locale, width, height, how: inputMethod, hand: activate } of DAYS)
    it(`goes from the first channel to a disconnection and its undo, ${inputMethod}, ${width} wide, in ${locale}`, async () => {
      const m: Messages = await loadMessages(locale);
      await loadAreaMessages(locale, 'operator');
      const msg = m.msg;
      const { operator, make } = telegram;
      const title = 'Low Quay';
      const quay = telegram.channel({ title, username: 'low_quay', others: 3 });
      const editor = telegram.user(200_000, 'Anna');
      quay.promote(editor, operator);

      const page = await openPage(locale, width, height);
      const lines = listen(page);
      const press = (control: Locator) => activate(page, control);
      const button = (name: string, within: Pick<Page, 'getByRole'> = page) => within.getByRole('button', { name, exact: true });
      const link = (name: string) => page.getByRole('link', { name, exact: true });
      const row = (name: string) =>
        page
          .getByRole('list', { name: msg('Channels') })
          .getByRole('button')
          .filter({ hasText: name });
      const posts = (of = page) => of.locator('changer-channel article:not(.service)');
      const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });

      await launch(page, operator.id, locale, '/changer?operator');
      await press(button(msg('Connect a channel')));
      await page.getByText(msg('Waiting for the channel…')).waitFor();
      quay.addBot(operator);
      await page.getByText(msg(str`Connected: ${title}`)).waitFor();
      assert.ok(await button(msg('Done')).evaluate((element) => element.matches(':focus')), 'the next button has the focus');
      await press(button(msg('Done')));
      await closed();
      await passesAxe(page, 'channels');

      const first = quay.post(make.text('The ferry leaves at nine.'));
      quay.album([make.photo('Three of them'), make.photo(), make.photo()]);
      const plain = `/posts/${quay.bareId}/${first.message_id}`;
      await row(title)
        .filter({ hasText: m.number(4) })
        .waitFor();
      await press(row(title));
      await page.getByRole('dialog').getByText('@low_quay').waitFor();
      await passesAxe(page, 'a channel’s sheet');
      await press(link(msg('Open channel')));
      await posts().nth(1).waitFor();
      assert.equal(await posts().count(), 2, 'an album is one post');
      quay.edit(first.message_id, { text: 'The ferry leaves at ten.' });
      const ferry = posts().filter({ hasText: 'leaves at ten' });
      await ferry.waitFor();

      await press(button(msg('Hide for readers'), ferry));
      await page.getByText(msg('Hidden for readers')).waitFor();
      await until(async () => (await statusOf(plain)) === 404, 'the post is hidden');
      await ferry.waitFor({ state: 'detached' });
      await launch(page, operator.id, locale, '/changer?operator=hidden');
      await press(page.locator('.hidden-post').getByRole('button').first());
      await page.getByText(msg('Readers see it again.')).waitFor();
      await until(async () => (await statusOf(plain)) === 200, 'the post is back');

      const ownPage = await openPage(locale, width, height);
      await launch(ownPage, editor.id, locale, '/channel/low_quay');
      const ownPosts = posts(ownPage).filter({ hasText: 'leaves at ten' });
      await activate(ownPage, button(msg('Hide for readers'), ownPosts));
      await until(async () => (await statusOf(plain)) === 404, 'a channel’s administrator hides a post');
      await activate(ownPage, button(msg('Undo'), ownPage));
      await until(async () => (await statusOf(plain)) === 200, 'a channel’s administrator restores the post');
      await ownPosts.waitFor();
      await ownPage.context().close();

      await press(link(msg('Channels')));
      quay.rename('High Quay');
      await row('High Quay').waitFor();
      quay.setUsername(undefined);
      quay.post(make.text('For members'));
      await row('High Quay')
        .filter({ hasText: msg('Private') })
        .waitFor();
      assert.equal(await statusOf(`/channels/${quay.bareId}`), 404, 'anonymous users no longer find it');
      quay.removeBot(operator);
      await page.locator('.operator-rows .tone.bad').waitFor();
      await passesAxe(page, 'a channel that lost its bot');
      quay.addBot(operator);
      await page.locator('.operator-rows .tone.bad').waitFor({ state: 'detached' });

      await press(row('High Quay'));
      await press(button(msg('Disconnect…')));
      if (activate === byMouse) await page.getByRole('radio').last().check();
      else {
        while (
          !(await page
            .getByRole('radio')
            .first()
            .evaluate((element) => element.matches(':focus')))
        )
          await page.keyboard.press('Tab');
        await page.keyboard.press('ArrowDown');
      }
      await passesAxe(page, 'the question');
      await press(button(msg('Disconnect and delete')));
      await closed();
      await press(button(msg('Undo')));
      await page.getByText(msg('Connected again.')).waitFor();
      await page.locator('.operator-rows .tone.good').waitFor();

      await press(link(msg('History')));
      const historyItems = page.getByRole('list', { name: msg('History') }).getByRole('listitem');
      await historyItems.filter({ hasText: msg('deleted posts and files') }).waitFor();
      await passesAxe(page, 'history');
      assert.deepEqual(
        lines.filter((line) => line.startsWith('uncaught')),
        [],
      );
      await page.context().close();
    });
});
