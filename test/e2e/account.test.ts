// Account end to end: sessions, export of data, and deletion of a reader.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { asTelegram, type Page, readIndexedDbText, until } from '../support/browser.ts';
import { useTelegramApp } from '../support/telegram-app.ts';

const SHEET = 'changer-layout dialog[open]';

describe('the account of a reader', () => {
  const { server, inContext, reader, isReader } = useTelegramApp();
  const token = (page: Page) => page.evaluate(() => sessionStorage.getItem('access_token'));
  /** Opens the app as Telegram does, for a user, and waits for the sign-in. */
  async function launch(page: Page, user: number): Promise<void> {
    const launchData = await (await fetch(`${server().origin}/dev/launch-data?user=${user}&name=Ada${user}`)).text();
    await asTelegram(page);
    await page.goto(`${server().origin}/main${launchHash(ANDROID, DARK, launchData)}`);
    await page.locator('changer-feed article').first().waitFor();
    await isReader(page, 'signed-in');
  }
  async function openAccount(page: Page): Promise<void> {
    await page.locator('.tabs button:visible, .reader-button:visible').click();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.locator('.sessions li').first().waitFor();
  }
  /** Returns everything that the store contains about a reader, by table. */
  async function stored(user: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
    const store = await server().openStore();
    try {
      return await store.readerData(user);
    } finally {
      await store.close();
    }
  }
  const rowsOf = async (user: string): Promise<unknown[]> => Object.values(await stored(user)).flat();
  const star = (page: Page): Promise<void> =>
    page.evaluate(`(async () => {
      const { dataClient: channels } = document.querySelector('changer-layout').services;
      const { items: [post] } = await (await fetch('/api/channels/harbour_gazette_demo/posts?limit=1')).json();
      channels.star(post, true);
    })()`);
  const assertNothingLeft = async (page: Page, user: string): Promise<void> => {
    const { names, session, local } = await page.evaluate(async () => ({
      names: (await indexedDB.databases()).map(({ name }) => name),
      session: JSON.stringify(sessionStorage),
      local: JSON.stringify(localStorage),
    }));
    assert.equal(names.includes(`changer-reader-${user}`), false);
    for (const content of [session, local, await readIndexedDbText(page)])
      assert.doesNotMatch(content, new RegExp(`access_token|Ada${user}|"${user}"`));
  };

  it('ends the session of another device, which is signed out at its next action', async () => {
    await inContext((firstPage) =>
      inContext(async (secondPage) => {
        await launch(firstPage, 91);
        await launch(secondPage, 91);
        const stolen = await token(secondPage);
        await openAccount(firstPage);
        await firstPage.locator('.sessions li').nth(1).getByRole('button').click();
        await firstPage.getByText('Signed out there.').waitFor();
        assert.equal(await firstPage.locator('.sessions li').count(), 1);
        const response = await fetch(`${server().origin}/api/me`, { headers: { 'access-token': stolen ?? '' } });
        assert.equal(response.status, 401);
        await star(secondPage);
        await until(async () => (await token(secondPage)) === null, 'the other device has no token');
        await isReader(secondPage, 'expected');
        assert.notEqual(await token(firstPage), null);
        await firstPage.reload();
        await isReader(firstPage, 'signed-in');
      }),
    );
  });

  it('exports all stored data, and deletes all of it on the server and on the device', async () => {
    await inContext(async (page, context) => {
      await launch(page, 92);
      const other = await context.newPage();
      await launch(other, 92);
      await star(page);
      await until(async () => ((await stored('92')).stars?.length ?? 0) === 1, 'the star is stored');
      await openAccount(page);
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server().origin });
      await page.getByRole('button', { name: 'Copy it as text' }).click();
      await page.getByText('Copied, because Telegram cannot save files.').waitFor();
      const exportedData: Record<string, unknown[]> = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      const storedRows = await stored('92');
      assert.deepEqual(exportedData.stars, storedRows.stars);
      assert.deepEqual(Object.keys(exportedData).sort(), Object.keys(storedRows).sort());
      assert.match(JSON.stringify(exportedData.readers), /Ada92/);
      assert.doesNotMatch(JSON.stringify(exportedData), /token_hash/);

      await page.getByRole('button', { name: 'Erase everything…' }).click();
      await page.getByRole('button', { name: 'Erase everything', exact: true }).click();
      await page.getByRole('dialog', { name: 'Everything is erased' }).getByRole('button').click();
      await page.locator('changer-feed article').first().waitFor();
      assert.equal(new URL(page.url()).pathname, '/main');
      assert.equal(await reader(page), 'anonymous');
      await isReader(other, 'anonymous');
      await assertNothingLeft(page, '92');
      await assertNothingLeft(other, '92');
      for (const each of [page, other]) {
        await each.reload();
        await each.locator('changer-feed article').first().waitFor();
        assert.equal(await reader(each), 'anonymous');
      }
      assert.deepEqual(await rowsOf('92'), []);
    });
  });

  it('keeps all data if the server did not delete it', async () => {
    await inContext(async (page) => {
      await launch(page, 93);
      await openAccount(page);
      await page.getByRole('button', { name: 'Erase everything…' }).click();
      await page.route('**/api/me', (route) => route.abort());
      await page.getByRole('button', { name: 'Erase everything', exact: true }).click();
      await page.getByText('No answer came.').waitFor();
      assert.equal(await reader(page), 'signed-in');
      assert.notDeepEqual(await rowsOf('93'), []);
      await page.getByRole('button', { name: 'Keep everything' }).click();
      await page.locator('.sessions li').first().waitFor();
    });
  });

  it('works by keyboard alone, up to the last confirmation and after it', async () => {
    await inContext(async (page) => {
      await launch(page, 94);
      const focused = (): Promise<string> =>
        page.evaluate(`(() => {
          let element = document.activeElement;
          while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
          return element.textContent;
        })()`);
      const goTo = async (name: string): Promise<void> => {
        for (let presses = 0; presses < 60; presses++) {
          if ((await focused()).includes(name)) return page.keyboard.press('Enter');
          await page.keyboard.press('Tab');
        }
        assert.fail(`The Tab key never came to ${name}`);
      };
      await goTo('Ada94');
      await page.locator(SHEET).waitFor();
      await goTo('Your account');
      await page.locator('.sessions li').first().waitFor();
      await page.keyboard.press('Escape');
      await page.locator(SHEET).waitFor({ state: 'detached' });
      assert.match(await focused(), /^Ada94/);
      await goTo('Ada94');
      await goTo('Your account');
      await page.locator('.sessions li').first().waitFor();
      await goTo('Erase everything…');
      await until(async () => (await focused()) === 'Keep everything', 'the button that keeps the data has the focus');
      await page.keyboard.press('Tab');
      assert.equal(await focused(), 'Erase everything');
      await page.keyboard.press('Enter');
      await until(async () => (await focused()) === 'Close', 'the button of the last dialog has the focus');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.deepEqual(await rowsOf('94'), []);
    });
  });

  it('opens the dialog again at the moment when it is closed', async () => {
    await inContext(async (page) => {
      await launch(page, 96);
      await page.getByRole('button', { name: 'Ada96' }).click();
      await page.locator(SHEET).evaluate((sheet) => {
        const root = sheet.getRootNode() as ShadowRoot;
        // The observer runs before the `close` event of the sheet, which is dispatched in a later task.
        const observer = new MutationObserver(() => {
          if (root.querySelector('dialog[open]') !== null) return;
          observer.disconnect();
          root.querySelector<HTMLElement>('.reader-button')?.click();
        });
        observer.observe(root, { attributes: true, childList: true, subtree: true });
      });
      await page.keyboard.press('Escape');
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
      assert.equal(await page.locator(SHEET).count(), 1);
      await page.keyboard.press('Escape');
      await page.locator(SHEET).waitFor({ state: 'detached' });
    });
  });

  it('has no axe violations, also on the page that lists the stored data', async () => {
    const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
    const faults = async (page: Page): Promise<unknown> => {
      await page.evaluate(axe);
      return page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join())]))`,
      );
    };
    await inContext(async (page) => {
      await launch(page, 95);
      await openAccount(page);
      assert.deepEqual(await faults(page), []);
      await page.getByRole('link', { name: 'What is stored, and for how long' }).click();
      await page.getByRole('heading', { name: 'What is stored about you' }).waitFor();
      for (const colorScheme of ['light', 'dark'] as const)
        for (const language of ['English', 'Русский', 'العربية']) {
          await page.emulateMedia({ colorScheme });
          await page.getByRole('link', { name: language }).click();
          await page.locator('a[aria-current]', { hasText: language }).waitFor();
          assert.deepEqual(await faults(page), [], `${language}, ${colorScheme}`);
        }
    });
  });
});
