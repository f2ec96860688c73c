import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { until } from '../../test/support/browser.ts';
import { apart, type Look, pictureName, type Shot, singly, type Theme } from './looks.ts';
import type { Site } from './site.ts';
import { setStage } from './stage.ts';
import type { Stage, State } from './state.ts';

/** A state in one look. It is reached once. */
interface Task {
  readonly state: State;
  readonly look: Look;
}

export interface Taking {
  readonly launch: () => Promise<Browser>;
  readonly site: Site;
  readonly folder: string;
  /** Only pictures whose names contain all of these words are taken. */
  readonly words: readonly string[];
}

/** Number of browsers that run in parallel. More would only wait for each other. */
const HANDS = 3;
const PATIENCE = 30_000;

/**
 * Evaluates to true if the visible images and the fonts are loaded. It is a string, because a function compiled by tsx calls a
 * helper that the page does not have.
 */
export const SETTLED = `(() => {
  const roots = [document];
  const images = [];
  for (const root of roots)
    for (const each of root.querySelectorAll('*')) {
      if (each.shadowRoot) roots.push(each.shadowRoot);
      if (each.localName === 'img') images.push(each);
    }
  const seen = (image) => {
    const { top, bottom, width } = image.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  };
  return document.fonts.status === 'loaded' && images.every((image) => image.complete || !seen(image));
})()`;

/**
 * Screenshot runner: takes the pictures of all states. Returns the names and reasons of those that failed; all others are
 * written.
 */
export async function takeAll(states: readonly State[], looks: readonly Look[], taking: Taking): Promise<readonly string[]> {
  const tasks = states.flatMap((state) => looks.flatMap((look) => tasksOf(state, look, taking.words)));
  const missed: string[] = [];
  const hand = async () => {
    const browsers = createBrowsers(taking.launch);
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const { state, look } = task;
      try {
        await take(await browsers.context(task), task, taking);
      } catch (error) {
        const [first] = look.shots;
        const [reason] = String(error instanceof Error ? error.message : error).split('\n');
        missed.push(`${state.name} (${look.holder}, ${look.locale}, from ${first?.size.width} px): ${reason}`);
      }
    }
    await browsers.close();
  };
  await Promise.all(Array.from({ length: Math.min(HANDS, tasks.length) }, hand));
  return missed;
}

function tasksOf(state: State, look: Look, words: readonly string[]): Task[] {
  if (state.browserOnly === true && look.holder === 'telegram') return [];
  const isAsked = (shot: Shot) => words.every((word) => holds(pictureName(state.name, shot), word));
  const asked = { ...look, shots: look.shots.filter(isAsked) };
  if (asked.shots.length === 0) return [];
  const looks = state.brief === true ? singly(asked) : state.anchored === true ? apart(asked) : [asked];
  return looks.map((one) => ({ state, look: one }));
}

/** Returns true if a name contains a word, or one of several: `390-light|390-dark`. */
const holds = (name: string, word: string): boolean => word.split('|').some((each) => name.includes(each));

/** Number of pages after which a browser is restarted. After that many, it opens further pages slowly or not at all. */
const PAGES = 60;

interface Browsers {
  /** Returns the context in which a task's page is opened. */
  context(task: Task): Promise<BrowserContext>;
  close(): Promise<void>;
}

function createBrowsers(launch: () => Promise<Browser>): Browsers {
  let browser: Browser | null = null;
  let pages = 0;
  const contexts = new Map<string, BrowserContext>();
  const renew = async (): Promise<Browser> => {
    await browser?.close().catch(() => {});
    contexts.clear();
    pages = 0;
    browser = await launch();
    return browser;
  };
  return {
    async context({ look: { locale }, state: { name, worker = false, stopsClock = false } }) {
      const running = browser === null || !browser.isConnected() || ++pages > PAGES ? await renew() : browser;
      const key = `${locale} ${worker} ${stopsClock ? name : ''}`;
      const context = contexts.get(key) ?? (await makeContext(running, locale, worker));
      contexts.set(key, context);
      return context;
    },
    close: async () => browser?.close(),
  };
}

async function makeContext(browser: Browser, locale: string, worker: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce', serviceWorkers: worker ? 'allow' : 'block' });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

async function take(context: BrowserContext, { state, look }: Task, taking: Taking): Promise<void> {
  const stage = await setStage(context, taking.site, look);
  const { page } = stage;
  try {
    await state.reach(stage);
    // The element under the pointer would look different.
    await page.mouse.move(0, 0);
    for (const shot of look.shots) {
      const { width, height } = shot.size;
      if (look.holder === 'browser') await page.setViewportSize({ width, height: state.height ?? height });
      await wear(stage, shot.theme);
      if (state.unfinished !== true)
        await until(async () => (await stage.app.evaluate(SETTLED)) === true, 'its pictures are there');
      if (!(await stage.stands())) throw new Error(`What makes it that state is gone at ${width} px, ${shot.theme}`);
      const what = look.holder === 'browser' ? page : page.locator('#client');
      const path = join(taking.folder, `${pictureName(state.name, shot)}.png`);
      await what.screenshot({ path, animations: 'disabled', caret: 'hide' });
    }
  } finally {
    await context.setOffline(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await forget(stage);
    await page.close();
  }
}

async function wear({ page }: Stage, theme: Theme): Promise<void> {
  if (theme === 'telegram-dark' || theme === 'telegram-light')
    return wearTelegram(page, theme === 'telegram-dark' ? 'Dark' : 'Light');
  await page.emulateMedia({
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    contrast: theme === 'contrast' ? 'more' : 'no-preference',
    forcedColors: theme === 'forced' ? 'active' : 'none',
  });
  await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), theme === 'large' ? '200%' : '');
}

async function wearTelegram(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => {
    const select = document.querySelector('select[name=theme]');
    if (!(select instanceof HTMLSelectElement)) return;
    select.value = name;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, theme);
}

/** Deletes the data of the origin, so that the next state starts like a new reader's device. */
async function forget({ page, origin }: Stage): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
}
