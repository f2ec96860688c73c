import { build } from 'esbuild';
import { launchBrowser } from '../../test/support/browser.ts';
import { LISTS } from './documents.ts';
import type { Row } from './requests.ts';

const TRIES = 3;

/** Measures the parser of subscription lists (OPML). It runs in a browser, because readers import such lists there. */
export async function listRow(): Promise<Row> {
  const built = await build({
    stdin: {
      contents: `import { LARGEST_FILE, readOpml } from './src/features/import-export/model/opml-parse.ts'; Object.assign(window, { LARGEST_FILE, readOpml });`,
      resolveDir: process.cwd(),
    },
    ...{ bundle: true, write: false, format: 'iife' },
  });
  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext()).newPage();
    await page.addScriptTag({ content: built.outputFiles?.[0]?.text ?? '' });
    const limit = Number(await page.evaluate(() => Reflect.get(window, 'LARGEST_FILE')));
    let worst = { name: '', ms: 0 };
    for (const [name, documentOf] of Object.entries(LISTS)) {
      let least = Number.POSITIVE_INFINITY;
      for (let tried = 0; tried < TRIES; tried += 1)
        least = Math.min(
          least,
          await page.evaluate((text) => {
            const start = performance.now();
            Reflect.get(window, 'readOpml')(text);
            return performance.now() - start;
          }, documentOf(limit)),
        );
      if (process.env.BENCH_ALL) console.log(`${least} ms OPML: ${name}`);
      if (least >= worst.ms) worst = { name, ms: Math.round(least * 10) / 10 };
    }
    return {
      input: 'lists of subscriptions (OPML), in a browser',
      limit: `${limit / 2 ** 20} MiB`,
      attempts: Object.keys(LISTS).length,
      ...worst,
    };
  } finally {
    await browser.close();
  }
}
