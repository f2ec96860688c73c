// App in Telegram for tests: the app on its own server, opened as Telegram opens it.
import { after, before } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, type Page, until } from './browser.ts';
import { type RunningServer, startServer } from './server.ts';

export interface TelegramApp {
  readonly server: () => RunningServer;
  /** Runs `action` with a page in a new browser context. */
  inContext(action: (page: Page, context: BrowserContext) => Promise<void>): Promise<void>;
  /** Returns the type of the reader of the page; '' while the layout is not mounted. */
  reader(page: Page): Promise<string>;
  /** Waits until the reader of the page has this type. */
  isReader(page: Page, type: string): Promise<void>;
}

/** Starts a server and a browser before the tests of the calling suite, and stops both after them. */
export function useTelegramApp(): TelegramApp {
  let server: RunningServer;
  let browser: Browser;
  before(async () => {
    [server, browser] = await Promise.all([
      startServer({ development: true, env: { BOT_TOKEN: '12345:TEST' } }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  const reader = (page: Page): Promise<string> =>
    page.evaluate(`document.querySelector('changer-layout')?.services.dataClient.session.get().type ?? ''`);
  return {
    server: () => server,
    async inContext(action) {
      const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
      try {
        await action(await context.newPage(), context);
      } finally {
        await context.close();
      }
    },
    reader,
    isReader: (page, type) => until(async () => (await reader(page)) === type, `the reader is ${type}`),
  };
}
