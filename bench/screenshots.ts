/*
 * `npm run screenshots`: takes every page and state at four widths, light, dark, in Arabic and inside Telegram's host page, into
 * screenshots/, with an index.html that shows them side by side; and the README's pictures into docs/. With a word it takes
 * those alone whose name holds it, with `docs` the README's alone.
 */
import { mkdir, rm } from 'node:fs/promises';
import { launchBrowser } from '../test/support/browser.ts';
import { writeContactSheet } from './screenshots/contact-sheet.ts';
import { takeDocs } from './screenshots/docs.ts';
import { LOOKS } from './screenshots/looks.ts';
import { startSite } from './screenshots/site.ts';
import { STATES } from './screenshots/states.ts';
import { takeAll } from './screenshots/take.ts';

const FOLDER = 'screenshots';
const [word = ''] = process.argv.slice(2);

const [site, browser] = await Promise.all([startSite(), launchBrowser()]);
try {
  if (word !== 'docs') {
    if (word === '') await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    const missed = await takeAll(STATES, LOOKS, { browser, site, folder: FOLDER, word });
    await writeContactSheet(FOLDER);
    console.log(`${FOLDER}/index.html`);
    for (const each of missed) console.error(`Not taken: ${each}`);
    if (missed.length > 0) process.exitCode = 1;
  }
  if (word === '' || word === 'docs') await takeDocs(browser, site.origin);
} finally {
  await browser.close();
  await site.stop();
}
