import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, until } from '../../test/support/browser.ts';
import { SETTLED } from './take.ts';

const DOCS = 'docs';

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  readonly locale: string;
}

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 400, height: 860 };
const PICTURES: readonly Picture[] = [
  { name: 'feed', path: '/main', ...DESKTOP, scheme: 'light', locale: 'en-GB' },
  { name: 'dial', path: '/changer', ...PHONE, scheme: 'dark', locale: 'en-GB' },
  { name: 'feed-rtl', path: '/main', ...PHONE, scheme: 'light', locale: 'ar' },
];

/** Documentation screenshots: takes the pictures of the README. */
export async function takeDocs(origin: string): Promise<void> {
  await mkdir(DOCS, { recursive: true });
  const browser = await launchBrowser();
  try {
    for (const picture of PICTURES) await take(browser, origin, picture);
  } finally {
    await browser.close();
  }
}

async function take(
  browser: Browser,
  origin: string,
  { name, path: pagePath, width, height, scheme, locale }: Picture,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: 2, colorScheme: scheme, locale });
  const page = await context.newPage();
  await page.goto(origin + pagePath);
  await page.locator('article, [class*=card]').first().waitFor();
  await page.locator('.side-foot:visible, .tabs:visible').waitFor();
  await until(async () => (await page.evaluate(SETTLED)) === true, 'its pictures are loaded');
  const path = join(DOCS, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path);
  await context.close();
}
