// App end to end: sign-in, sessions, languages, theme and service worker.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { asTelegram, type Browser, type BrowserContext, launchBrowser, listen, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

describe('the app', () => {
  let server: RunningServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let lines: string[];

  before(async () => {
    [server, browser] = await Promise.all([
      startServer({ development: true, env: { BOT_TOKEN: '12345:TEST', BRAND_COLOR: '#ffee00' } }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
    page = await context.newPage();
    lines = listen(page);
  });
  afterEach(() => context.close());

  const feed = (of = page) => of.locator('changer-feed article').first().waitFor();
  const launchData = async (user: number, more = '') =>
    (await fetch(`${server.origin}/dev/launch-data?user=${user}${more}`)).text();
  /** Opens the app as Telegram for Android does, for a user. */
  async function launch(user: number, more = '', of = page): Promise<void> {
    await of.goto('about:blank');
    await asTelegram(of);
    await of.goto(`${server.origin}/main${launchHash(ANDROID, DARK, await launchData(user, more))}`);
    await feed(of);
  }
  const token = (of = page) => of.evaluate(() => sessionStorage.getItem('access_token'));
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));
  const services = (script: string) =>
    page.evaluate(`(async () => { const { services } = document.querySelector('changer-layout'); ${script} })()`);
  /** Null while the layout is created again, for example for another reader. */
  const reader = () => page.evaluate(`document.querySelector('changer-layout')?.services?.dataClient.session.get() ?? null`);
  const signedIn = (id: string) =>
    until(async () => JSON.stringify(await reader()).includes(`"id":"${id}"`) && (await token()) !== null, `${id} is signed in`);

  it('signs in within Telegram, and stays signed in after a reload', async () => {
    await launch(41);
    await signedIn('41');
    const before = await token();
    await page.reload();
    await feed();
    await signedIn('41');
    assert.equal(await token(), before);
    assert.equal(lines.filter((line) => line === 'log: POST 200 /api/telegram/auth/webapp').length, 1);
  });

  it('signs in again silently after the server deleted the session', async () => {
    await launch(42);
    await signedIn('42');
    const before = await token();
    await page.evaluate(() => sessionStorage.setItem('access_token', 'forgotten'));
    await page.evaluate(() => fetch('/api/me'));
    await services('await services.dataClient.refresh()');
    await until(async () => (await token()) !== 'forgotten', 'the rejected token is removed');
    await signedIn('42');
    assert.notEqual(await token(), before);
  });

  it('reports an expired session if it cannot sign in again, and sends the pending changes after a later sign-in', async () => {
    await launch(43);
    await signedIn('43');
    await page.route('**/api/telegram/auth/webapp', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"too old"}' }),
    );
    await page.evaluate(() => sessionStorage.setItem('access_token', 'forgotten'));
    const star =
      'const [post] = (await services.dataClient.context.api.feed({}, {})).items; services.dataClient.star(post, true);';
    await services('services.dataClient.markAllRead([]); await services.dataClient.refresh()');
    await page.getByText('Your session has ended.').waitFor();
    await services(star);
    const pendingCount = () => services('return services.dataClient.syncStatus.get().count ?? 0');
    assert.equal(await pendingCount(), 1);
    await page.unroute('**/api/telegram/auth/webapp');
    await page.getByText('Open the app again in Telegram.').waitFor();
    await launch(43);
    await signedIn('43');
    await until(async () => (await pendingCount()) === 0, 'the pending changes are sent');
    await page.getByText('Your session has ended.').waitFor({ state: 'detached' });
    const stars = await page.evaluate(async () => {
      const headers = { 'Access-Token': sessionStorage.getItem('access_token') ?? '' };
      return (await (await fetch('/api/stars', { headers })).json()).items.length;
    });
    assert.equal(stars, 1);
  });

  it('shows no data of one reader to the next one on the same device', async () => {
    await launch(51, '&name=Ada');
    await signedIn('51');
    const hasUnfollowed = () => services('return services.dataClient.lineup.get().value?.some((row) => !row.followed) ?? null');
    const waitForLineup = () => until(async () => (await hasUnfollowed()) !== null, 'the line-up is loaded');
    await waitForLineup();
    await services(`const { id } = services.dataClient.lineup.get().value[0].channel;
      const off = (entry) => (entry.channelId === id ? { ...entry, followed: false } : entry);
      services.dataClient.applyLineupOperation({ action: 'unfollow', channelId: id }, ({ entries }) => ({ entries: entries.map(off) }));`);
    await until(async () => (await databases()).includes('changer-reader-51'), 'data of the reader is stored');
    await until(async () => (await hasUnfollowed()) === true, 'a channel is unfollowed');
    await services('await services.environment.signOut()');
    await until(async () => !(await databases()).includes('changer-reader-51'), 'no data of the reader is stored');
    assert.deepEqual([await token(), await reader()], [null, { type: 'anonymous' }]);
    assert.equal(new URL(page.url()).pathname, '/main');
    await until(async () => (await hasUnfollowed()) === false, 'the line-up is the default one');
    await page.reload();
    await feed();
    assert.deepEqual([await token(), await reader()], [null, { type: 'anonymous' }]);

    await launch(52, '&name=Bea');
    await signedIn('52');
    await waitForLineup();
    assert.equal(await hasUnfollowed(), false);
    assert.equal((await page.content()).includes('Ada'), false);
  });

  it('does not use the token of one account for another that is launched in the same tab', async () => {
    await launch(61);
    await signedIn('61');
    const first = await token();
    await launch(62);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signedIn('62');
    assert.notEqual(await token(), first);
    await until(async () => !(await databases()).includes('changer-reader-61'), 'no data of the previous reader is stored');
  });

  it('signs out in every tab', async () => {
    await launch(71);
    await signedIn('71');
    const other = await context.newPage();
    await launch(71, '', other);
    await until(async () => (await token(other)) !== null, 'the other tab is signed in');
    await services('await services.environment.signOut()');
    await until(async () => (await token(other)) === null, 'the other tab is signed out');
    await other.reload();
    await feed(other);
    assert.equal(await token(other), null);
  });

  it('uses the language of the launch data, then the choice of the reader', async () => {
    await launch(81, '&language=ru');
    const language = () => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
    assert.deepEqual(await language(), ['ru', 'ltr']);
    await services("await services.environment.setLocale('ar')");
    await until(async () => (await page.locator('changer-feed [lang=ar][dir=rtl]').count()) > 0, 'the feed is in Arabic');
    assert.deepEqual(await language(), ['ar', 'rtl']);
    await page.reload();
    await feed();
    assert.deepEqual(await language(), ['ar', 'rtl']);
  });

  it('logs a startup step that fails, and continues', async () => {
    await page.addInitScript(`
      const { setProperty } = CSSStyleDeclaration.prototype;
      CSSStyleDeclaration.prototype.setProperty = function (name, ...rest) {
        if (name === '--changer-brand') throw new Error('no colours today');
        return setProperty.call(this, name, ...rest);
      };
    `);
    await page.goto(`${server.origin}/main`);
    await feed();
    assert.ok(lines.some((line) => line.startsWith('error: Error: no colours today')));
  });

  it('applies the brand colour, corrected where its contrast is too low', async () => {
    await page.goto(`${server.origin}/main`);
    const brandProperty = (name: string) =>
      page.evaluate((property) => document.documentElement.style.getPropertyValue(property), `--changer-${name}`);
    await until(async () => (await brandProperty('brand-light')) !== '', 'the accent colour is corrected');
    assert.deepEqual(
      [await brandProperty('brand'), await brandProperty('brand-light'), await brandProperty('brand-dark')],
      ['#ffee00', '#706900', '#fff461'],
    );
  });

  it('logs nothing to the console except responses', async () => {
    await context.close();
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
    lines = listen(page);
    await page.goto(`${server.origin}/main`);
    await feed();
    await services("services.environment.navigate('/changer')");
    await page.locator('changer-dial h1, changer-dial h2').first().waitFor();
    assert.deepEqual(
      lines.filter((line) => !/^log: GET 200 \/api\//.test(line)),
      [],
    );
  });

  it('keeps the layout around a page whose chunk failed to load, and loads it on retry', async () => {
    await context.close();
    context = await browser.newContext({ locale: 'ar', serviceWorkers: 'block' });
    page = await context.newPage();
    let requestCount = 0;
    await page.route(/\/assets\/changer-self-test-[^/]+\.js$/, (route) =>
      ++requestCount === 1 ? route.abort() : route.continue(),
    );
    await page.goto(`${server.origin}/main`);
    await feed();
    await services("services.environment.navigate('/test')");
    const failure = page.locator('changer-layout > .shell-failure');
    await failure.waitFor();
    assert.equal(await failure.evaluate((box) => box.matches(':focus')), true);
    assert.equal(await failure.evaluate((box) => getComputedStyle(box).direction), 'rtl');
    assert.match((await failure.textContent()) ?? '', /^[\P{L}\p{Script=Arabic}]+$/u);
    await page.locator('.tabs [aria-current]').first().waitFor({ state: 'detached' });
    await failure.locator('button').click();
    await page.locator('changer-self-test h1').waitFor();
    assert.equal(requestCount, 2);
    assert.equal(await failure.count(), 0);
  });

  it('returns 404 and shows the not-found page for an unknown address, also a malformed one', async () => {
    // nginx rejects a malformed address itself.
    const malformed = process.env.TEST_SERVERS === 'pair' ? [] : ['/%E0%A4%A', '/channel/%E0%A4%A'];
    for (const path of ['/nowhere', ...malformed]) {
      const response = await page.goto(server.origin + path);
      assert.equal(response?.status(), 404, path);
      await page.locator('changer-not-found h1').waitFor();
    }
  });
});

describe('the service worker of the app', () => {
  it('logs a failed registration', async () => {
    const [server, browser] = await Promise.all([startServer({ demo: false }), launchBrowser()]);
    const page = await browser.newPage();
    const lines = listen(page);
    await page.addInitScript(`navigator.serviceWorker.register = () => Promise.reject(new Error('refused'));`);
    await page.goto(`${server.origin}/main`);
    const registrationErrors = () =>
      lines.filter((line) => line.startsWith('error: Error during service worker registration: Error: refused'));
    await until(async () => registrationErrors().length === 1, 'the log line');
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });`);
    await page.reload();
    await until(async () => registrationErrors().length === 2, 'the log line, also if the browser reports that it is offline');
    await browser.close();
    await server.stop();
  });
});
