/*
 * Screenshots: `npm run screenshots` takes every page and state at all widths, light, dark, in Arabic, in high
 * contrast, with large text and inside Telegram's host page, into screenshots/, with an index.html that shows them next
 * to each other; and the README's pictures into docs/. With arguments, it takes only pictures whose names contain all
 * of them (`dial '390-light|390-dark'`). With `docs`, it takes only the README's pictures.
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
const nameFilters = process.argv.slice(2);
const isAll = nameFilters.length === 0;
const isDocs = nameFilters[0] === 'docs';

const site = await startSite();
try {
  if (!isDocs) {
    if (isAll) await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    const failures = await takeAll(STATES, LOOKS, { launch: launchBrowser, site, folder: FOLDER, nameFilters });
    await writeContactSheet(FOLDER);
    console.log(`${FOLDER}/index.html`);
    for (const failure of failures) console.error(`Not taken: ${failure}`);
    if (failures.length > 0) process.exitCode = 1;
  }
  if (isAll || isDocs) await takeDocs(site.origin);
} finally {
  await site.stop();
}
