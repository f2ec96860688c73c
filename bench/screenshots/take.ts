import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { until } from '../../test/support/browser.ts';
import { type Look, pictureName, type Shot, splitByShot, splitBySize, type Theme } from './looks.ts';
import type { Site } from './site.ts';
import { createStage } from './stage.ts';
import type { Stage, State } from './state.ts';

/** A state in one look. It is reached once. */
interface Task {
  readonly state: State;
  readonly look: Look;
}

export interface ScreenshotJob {
  readonly launch: () => Promise<Browser>;
  readonly site: Site;
  readonly folder: string;
  /** Only pictures whose names contain all of these words are taken. */
  readonly nameFilters: readonly string[];
}

/** Number of browsers that run in parallel. More would only wait for each other. */
const MAX_CONCURRENT_BROWSERS = 3;
const PAGE_TIMEOUT_MS = 30_000;

/**
 * Evaluates to true if the visible images and the fonts are loaded. It is a string, because a function compiled by tsx
 * calls a helper that the page does not have.
 */
export const SETTLED = `(() => {
  const roots = [document];
  const images = [];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (element.localName === 'img') images.push(element);
    }
  const isVisible = (image) => {
    const { top, bottom, width } = image.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  };
  return document.fonts.status === 'loaded' && images.every((image) => image.complete || !isVisible(image));
})()`;

/** Screenshot runner: takes the pictures of all states. Returns the name and the reason of each failure. */
export async function takeAll(states: readonly State[], looks: readonly Look[], job: ScreenshotJob): Promise<readonly string[]> {
  const tasks = states.flatMap((state) => looks.flatMap((look) => tasksOf(state, look, job.nameFilters)));
  const failures: string[] = [];
  const runWorker = async () => {
    const browsers = createBrowsers(job.launch);
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const { state, look } = task;
      try {
        await take(await browsers.context(task), task, job);
      } catch (error) {
        const [firstShot] = look.shots;
        const [reason] = String(error instanceof Error ? error.message : error).split('\n');
        failures.push(`${state.name} (${look.host}, ${look.locale}, from ${firstShot?.size.width} px): ${reason}`);
      }
    }
    await browsers.close();
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_BROWSERS, tasks.length) }, runWorker));
  return failures;
}

function tasksOf(state: State, look: Look, nameFilters: readonly string[]): Task[] {
  if (state.browserOnly === true && look.host === 'telegram') return [];
  const isRequested = (shot: Shot) => nameFilters.every((filter) => matches(pictureName(state.name, shot), filter));
  const requested: Look = { ...look, shots: look.shots.filter(isRequested) };
  if (requested.shots.length === 0) return [];
  let looks = [requested];
  if (state.brief === true) looks = splitByShot(requested);
  else if (state.anchored === true) looks = splitBySize(requested);
  return looks.map((requestedLook) => ({ state, look: requestedLook }));
}

/** Returns true if a name contains one of the words of a filter, which `|` separates: `390-light|390-dark`. */
const matches = (name: string, filter: string): boolean => filter.split('|').some((part) => name.includes(part));

/** Number of pages after which a browser is restarted. Without a restart, it would open pages slowly or not at all. */
const MAX_PAGES_PER_BROWSER = 60;

interface Browsers {
  /** Returns the context in which a task's page is opened. */
  context(task: Task): Promise<BrowserContext>;
  close(): Promise<void>;
}

function createBrowsers(launch: () => Promise<Browser>): Browsers {
  let browser: Browser | null = null;
  let pageCount = 0;
  const contexts = new Map<string, BrowserContext>();
  const restart = async (): Promise<Browser> => {
    await browser?.close().catch(() => {});
    contexts.clear();
    pageCount = 0;
    browser = await launch();
    return browser;
  };
  return {
    async context({ look: { locale }, state: { name, worker = false, stopsClock = false } }) {
      const activeBrowser =
        browser === null || !browser.isConnected() || ++pageCount > MAX_PAGES_PER_BROWSER ? await restart() : browser;
      const key = `${locale} ${worker} ${stopsClock ? name : ''}`;
      const context = contexts.get(key) ?? (await createContext(activeBrowser, locale, worker));
      contexts.set(key, context);
      return context;
    },
    close: async () => browser?.close(),
  };
}

async function createContext(browser: Browser, locale: string, worker: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce', serviceWorkers: worker ? 'allow' : 'block' });
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return context;
}

async function take(context: BrowserContext, { state, look }: Task, job: ScreenshotJob): Promise<void> {
  const stage = await createStage(context, job.site, look);
  const { page } = stage;
  try {
    await state.reach(stage);
    // The element under the pointer would look different.
    await page.mouse.move(0, 0);
    for (const shot of look.shots) {
      const { width, height } = shot.size;
      if (look.host === 'browser') await page.setViewportSize({ width, height: state.height ?? height });
      await applyTheme(stage, shot.theme);
      if (state.unfinished !== true)
        await until(async () => (await stage.app.evaluate(SETTLED)) === true, 'its pictures are loaded');
      if (!(await stage.isInState()))
        throw new Error(`The element that defines the state is not visible any more at ${width} px, ${shot.theme}`);
      const target = look.host === 'browser' ? page : page.locator('#client');
      const path = join(job.folder, `${pictureName(state.name, shot)}.png`);
      await target.screenshot({ path, animations: 'disabled', caret: 'hide' });
    }
  } finally {
    await context.setOffline(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await clearOriginData(stage);
    await page.close();
  }
}

async function applyTheme({ page }: Stage, theme: Theme): Promise<void> {
  if (theme === 'telegram-dark' || theme === 'telegram-light')
    return applyTelegramTheme(page, theme === 'telegram-dark' ? 'Dark' : 'Light');
  await page.emulateMedia({
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    contrast: theme === 'contrast' ? 'more' : 'no-preference',
    forcedColors: theme === 'forced' ? 'active' : 'none',
  });
  await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), theme === 'large' ? '200%' : '');
}

async function applyTelegramTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => {
    const select = document.querySelector('select[name=theme]');
    if (!(select instanceof HTMLSelectElement)) return;
    select.value = name;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, theme);
}

/** Deletes the data of the origin, so that the next state starts like a new reader's device. */
async function clearOriginData({ page, origin }: Stage): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
}
