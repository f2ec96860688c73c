// Randomized synchronization test in two real browsers.

import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import type { DataClientControl } from '../../src/data/clients/account-client.ts';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import {
  asTelegram,
  type Browser,
  type BrowserContext,
  launchBrowser,
  markAllPostsUnread,
  type Page,
  until,
  workerControls,
} from '../support/browser.ts';
import type { LossyNetwork } from '../support/lossy-network.ts';
import type * as Deeds from '../support/random-actions.ts';
import { ACTIONS, type RandomDevice, type RandomTab, runRandomSynchronization } from '../support/random-synchronization.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { oneCopyIsLeft, purgeIsOver } from '../support/stored-copies.ts';

/** Number of runs, each with its own seed. See CONTRIBUTING.md. */
const SEEDS = Number(process.env.BROWSER_SEEDS ?? 1);

declare global {
  /** The actions of the reader, injected into each page. */
  var deeds: typeof Deeds;
  /** Returns the data layer of the page. */
  var areaOf: () => DataClientControl;
}

/** Injects code into each page: the actions, and a recorder of the ids of all changes that are put into the outbox. */
async function injectActions(context: BrowserContext): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ['test/support/random-actions.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'deeds',
    define: { __EMBEDDED__: 'false', __APP__: 'true' },
  });
  await context.addInitScript({ content: `${outputFiles[0]?.text}globalThis.deeds = deeds;` });
  await context.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value, key) {
      if (String(key).startsWith('out/')) localStorage.setItem(`named/${value.turn}`, '');
      return put.call(this, value, key);
    };
    globalThis.areaOf = () => Reflect.get(document.querySelector('changer-layout') ?? {}, 'services')?.dataClient;
  });
}

const tabOf = (page: Page): RandomTab => ({
  act: (seed, posts) =>
    page.evaluate(([number, all]) => deeds.performRandomAction(areaOf(), number, all), [seed, posts] as const),
  refresh: () => page.evaluate(() => areaOf().refresh()).catch(() => {}),
  async sendAll() {
    await until(
      () =>
        page.evaluate(async () => {
          await areaOf().refresh();
          return areaOf().syncStatus.get().type === 'saved' && areaOf().connectivity.get() === 'online';
        }),
      'all is sent',
    );
    await page.evaluate(() => areaOf().context.userState.reloadFromStorage());
  },
  shown: () => page.evaluate(() => deeds.shownIn(areaOf())),
});

/** Opens a browser context with its own storage, in which the app is completely stored. */
async function openDevice(
  browser: Browser,
  network: LossyNetwork,
  reader: number,
  launchData: string,
): Promise<RandomDevice & { context: BrowserContext }> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  await injectActions(context);
  const pages: Page[] = [];
  const open = async () => {
    const page = await context.newPage();
    await asTelegram(page);
    await page.goto(`${network.origin}/changer${launchHash(ANDROID, DARK, launchData)}`);
    await page.waitForFunction(() => areaOf()?.context !== undefined);
    await page.evaluate(() => areaOf().context.userState.loaded);
    await page.waitForFunction(() => areaOf().lineup.get().type === 'loaded');
    pages.push(page);
    return tabOf(page);
  };
  network.state = 'sound';
  const first = await context.newPage();
  await markAllPostsUnread(first, network.origin, { readerId: String(reader) });
  await first.close();
  await (await open()).sendAll();
  for (const page of pages) {
    await workerControls(page);
    await purgeIsOver(page);
    await oneCopyIsLeft(page);
  }
  network.state = 'lossy';
  return {
    context,
    wire: network,
    get tabs() {
      return pages.map(tabOf);
    },
    open,
    async close() {
      const page = pages.pop();
      // Waits until the last change is on the device. Another test covers a browser that is killed earlier.
      await page?.evaluate(() => areaOf().context.userState.reloadFromStorage());
      await page?.close();
    },
    async reach(state) {
      network.state = state;
      await context.setOffline(state === 'cut' && pages.length % 2 === 1);
    },
    kept: async () => {
      const [page] = pages;
      if (page === undefined) throw new Error('No tab is open.');
      return page.evaluate(async () => {
        const { reader } = await areaOf().context.offline.storage;
        return { waiting: await reader.list('out/'), lineup: await reader.get('lineup') };
      });
    },
    named: async () =>
      (await pages[0]?.evaluate(() => Object.keys(localStorage).flatMap((key) => key.split('named/')[1] ?? []))) ?? [],
  };
}

describe(`two browsers of a reader, ${ACTIONS} random actions, a network that fails and a server that is killed`, () => {
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    const env = { BOT_TOKEN: '12345:TEST' };
    [server, browser] = await Promise.all([startServer({ development: true, env }), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  for (let seed = 1; seed <= SEEDS; seed++)
    it(`end in the state of the server, with no change lost or applied twice (seed ${seed})`, async () => {
      const contexts: BrowserContext[] = [];
      try {
        await runRandomSynchronization({
          seed,
          server,
          async device(network, reader) {
            const data = await (await fetch(`${server.origin}/dev/launch-data?user=${reader}`)).text();
            const device = await openDevice(browser, network, reader, data);
            contexts.push(device.context);
            return device;
          },
          close() {},
        });
      } finally {
        for (const context of contexts) await context.close();
      }
    });
});
