// Sign-in confirmation: asked before the data of a device goes to an account, and before another reader takes the device.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { asTelegram, type Page, until } from '../support/browser.ts';
import { useTelegramApp } from '../support/telegram-app.ts';

const QUESTION = 'body > dialog[open]';

describe('the confirmation before a sign-in', () => {
  const { server, inContext, reader, isReader } = useTelegramApp();
  const stars = (page: Page): Promise<number> =>
    page.evaluate(`document.querySelector('changer-layout').services.dataClient.stars.get().size`);
  const databases = (page: Page) => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  const starredBy = (page: Page): Promise<number> =>
    page.evaluate(async () => {
      const headers = { 'access-token': sessionStorage.getItem('access_token') ?? '' };
      return (await (await fetch('/api/stars?limit=100', { headers })).json()).items.length;
    });

  async function open(page: Page, hash = ''): Promise<void> {
    await page.goto(`${server().origin}/main${hash}`);
    await page.locator('changer-feed article').first().waitFor();
  }
  /** Opens the app as Telegram does, for a user. */
  async function launch(page: Page, user: number, name = `Ada${user}`): Promise<void> {
    const query = new URLSearchParams({ user: String(user), name });
    const launchData = await (await fetch(`${server().origin}/dev/launch-data?${query}`)).text();
    await asTelegram(page);
    await open(page, launchHash(ANDROID, DARK, launchData));
  }
  /** Stars a post, and waits until the device has stored it. */
  const star = (page: Page): Promise<void> =>
    page.evaluate(`(async () => {
      const { dataClient: channels } = document.querySelector('changer-layout').services;
      const { items: [post] } = await (await fetch('/api/channels/harbour_gazette_demo/posts?limit=1')).json();
      channels.star(post, true);
      while (channels.syncStatus.get().type !== 'saved') await new Promise((resolve) => setTimeout(resolve, 20));
    })()`);
  const press = (page: Page, name: string) => page.locator(QUESTION).getByRole('button', { name, exact: true }).click();

  it('is not shown to a new reader on a device without data, nor to one who signs in again', async () => {
    await inContext(async (page) => {
      await launch(page, 301);
      await isReader(page, 'signed-in');
      await star(page);
      await launch(page, 301);
      await isReader(page, 'signed-in');
      assert.equal(await page.locator(QUESTION).count(), 0);
    });
  });

  it('shows the account name and the data to be transferred, and transfers nothing if it is declined', async () => {
    await inContext(async (page) => {
      await open(page);
      await star(page);
      await launch(page, 302, '<img src=x onerror=alert(1)>');
      await page.locator(QUESTION).waitFor();
      const text = (await page.locator(QUESTION).textContent()) ?? '';
      assert.match(text, /^Sign in as <img src=x onerror=alert\(1\)>\?/);
      assert.match(text, /Starred posts: 1/);
      assert.doesNotMatch(text, /Somebody else/);
      assert.equal(await page.locator(`${QUESTION} img`).count(), 0);
      // The focus is on the button that declines.
      await page.keyboard.press('Enter');
      await page.locator(QUESTION).waitFor({ state: 'detached' });
      assert.equal(await reader(page), 'anonymous');
      assert.equal(await stars(page), 1);
      await page.reload();
      await page.locator('changer-feed article').first().waitFor();
      assert.equal(await page.locator(QUESTION).count(), 0);
      assert.equal(await reader(page), 'anonymous');
      assert.equal((await databases(page)).includes('changer-reader-302'), false);
    });
    await inContext(async (page) => {
      await launch(page, 302);
      await isReader(page, 'signed-in');
      assert.equal(await starredBy(page), 0);
    });
  });

  it('transfers the data of the device when the reader agrees', async () => {
    await inContext(async (page) => {
      await open(page);
      await star(page);
      await launch(page, 303);
      await press(page, 'Sign in');
      await isReader(page, 'signed-in');
      await until(async () => (await starredBy(page)) === 1, 'the star is in the account');
      await launch(page, 303);
      await isReader(page, 'signed-in');
      assert.equal(await page.locator(QUESTION).count(), 0);
    });
  });

  it('is shown before another reader takes the device, and the first reader stays signed in if it is declined', async () => {
    await inContext(async (page, context) => {
      await launch(page, 304);
      await isReader(page, 'signed-in');
      const other = await context.newPage();
      await launch(other, 305);
      await other.locator(QUESTION).waitFor();
      assert.match((await other.locator(QUESTION).textContent()) ?? '', /^Sign in as Ada305\?Somebody else signed in/);
      await other.keyboard.press('Escape');
      await other.locator(QUESTION).waitFor({ state: 'detached' });
      assert.equal(await reader(other), 'anonymous');
      assert.equal(await reader(page), 'signed-in');
      assert.ok((await databases(page)).includes('changer-reader-304'));

      await launch(other, 305);
      await press(other, 'Sign in');
      await isReader(other, 'signed-in');
      await isReader(page, 'anonymous');
      await until(
        async () => !(await databases(page)).includes('changer-reader-304'),
        'the data of the previous reader is deleted',
      );
      // Both readers have signed in here, so neither is asked again.
      await launch(other, 304);
      await isReader(other, 'signed-in');
      await launch(other, 305);
      await isReader(other, 'signed-in');
    });
  });

  it('is in the reader’s language, and has no axe violations', async () => {
    const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
    await inContext(async (page) => {
      await page.addInitScript(() => localStorage.setItem('changer_locale', 'ru'));
      await open(page);
      await star(page);
      await launch(page, 306);
      await page.locator(QUESTION).getByText('Записи в избранном: 1').waitFor();
      const violations = await page.evaluate(
        `${axe}; axe.run(document.querySelector('${QUESTION}')).then(({ violations }) => violations.map(({ id }) => id))`,
      );
      assert.deepEqual(violations, []);
    });
  });
});
