import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { until } from '../../test/support/browser.ts';
import { apart, type Look, pictureName, type Size, type Theme } from './looks.ts';
import type { Site } from './site.ts';
import { setStage } from './stage.ts';
import type { Stage, State } from './state.ts';

/** A state in one look: what is reached once. */
interface Task {
  readonly state: State;
  readonly look: Look;
}

export interface Taking {
  readonly browser: Browser;
  readonly site: Site;
  readonly folder: string;
  /** Only pictures whose name holds it are taken. */
  readonly word: string;
}

/** Pages at work at the same time; more of them only wait for each other. */
const HANDS = 3;
const PATIENCE = 15_000;

/** As text: what tsx makes of a function calls a helper that the page does not have. */
const SETTLED = `(() => {
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

/** Takes the pictures of all states. Gives what could not be taken, each by its name and reason; the rest is there. */
export async function takeAll(states: readonly State[], looks: readonly Look[], taking: Taking): Promise<readonly string[]> {
  const tasks = states.flatMap((state) => looks.flatMap((look) => tasksOf(state, look, taking.word)));
  const missed: string[] = [];
  const hand = async () => {
    const contexts = new Map<string, BrowserContext>();
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const { state, look } = task;
      const context = contexts.get(look.locale) ?? (await makeContext(taking.browser, look.locale));
      contexts.set(look.locale, context);
      await take(context, task, taking).catch((error: unknown) => {
        const [size] = look.sizes;
        const [reason] = String(error instanceof Error ? error.message : error).split('\n');
        missed.push(`${state.name} (${look.holder}, ${look.locale}, from ${size?.width} px): ${reason}`);
      });
    }
  };
  await Promise.all(Array.from({ length: HANDS }, hand));
  return missed;
}

function tasksOf(state: State, look: Look, word: string): Task[] {
  if (state.browserOnly === true && look.holder === 'telegram') return [];
  const isAsked = (size: Size) => look.themes.some((theme) => pictureName(state.name, size, theme).includes(word));
  const asked = { ...look, sizes: look.sizes.filter(isAsked) };
  if (asked.sizes.length === 0) return [];
  return (state.anchored === true ? apart(asked) : [asked]).map((one) => ({ state, look: one }));
}

/** A service worker would answer in place of what a state has the server answer. */
async function makeContext(browser: Browser, locale: string): Promise<BrowserContext> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce', serviceWorkers: 'block' });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

async function take(context: BrowserContext, { state, look }: Task, taking: Taking): Promise<void> {
  const stage = await setStage(context, taking.site, look);
  const { page } = stage;
  try {
    await state.reach(stage);
    // What the pointer rests on looks otherwise.
    await page.mouse.move(0, 0);
    for (const size of look.sizes) {
      if (look.holder === 'browser') await page.setViewportSize({ ...size, height: state.height ?? size.height });
      for (const theme of look.themes) {
        const name = pictureName(state.name, size, theme);
        if (!name.includes(taking.word)) continue;
        await wear(stage, theme);
        if (state.unfinished !== true)
          await until(async () => (await stage.app.evaluate(SETTLED)) === true, 'its pictures are there');
        const what = look.holder === 'browser' ? page : page.locator('#client');
        await what.screenshot({ path: join(taking.folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
      }
    }
  } finally {
    await context.setOffline(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await forget(stage);
    await page.close();
  }
}

async function wear({ page }: Stage, theme: Theme): Promise<void> {
  if (!theme.startsWith('telegram')) return page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' });
  await page.evaluate(
    ([name = '']) => {
      const select = document.querySelector('select[name=theme]');
      if (!(select instanceof HTMLSelectElement)) return;
      select.value = name;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    },
    [theme === 'telegram-dark' ? 'Dark' : 'Light'],
  );
}

/** The next state finds the device as a new reader's. */
async function forget({ page, origin }: Stage): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
}
