import { build } from 'esbuild';
import { launchBrowser } from '../../test/support/browser.ts';
import { LISTS } from './documents.ts';
import type { Row } from './requests.ts';

/** Number of measurements of each list. The shortest one counts, because other programs can only increase it. */
const TRIES = 3;

/**
 * Hostile subscription lists: measures the OPML parser. It runs in a browser, because readers import such lists there.
 */
export async function opmlRow(): Promise<Row> {
  const bundle = await build({
    stdin: {
      contents: `import { MAX_OPML_FILE_BYTES, parseOpml } from './src/features/import-export/model/opml-parse.ts'; Object.assign(window, { MAX_OPML_FILE_BYTES, parseOpml });`,
      resolveDir: process.cwd(),
    },
    ...{ bundle: true, write: false, format: 'iife' },
  });
  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext()).newPage();
    await page.addScriptTag({ content: bundle.outputFiles?.[0]?.text ?? '' });
    const limit = Number(await page.evaluate(() => Reflect.get(window, 'MAX_OPML_FILE_BYTES')));
    let worst = { name: '', ms: 0 };
    for (const [name, documentOf] of Object.entries(LISTS)) {
      let minimum = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < TRIES; tries += 1)
        minimum = Math.min(
          minimum,
          await page.evaluate((text) => {
            const start = performance.now();
            Reflect.get(window, 'parseOpml')(text);
            return performance.now() - start;
          }, documentOf(limit)),
        );
      if (process.env.BENCH_ALL) console.log(`${minimum} ms OPML: ${name}`);
      if (minimum >= worst.ms) worst = { name, ms: Math.round(minimum * 10) / 10 };
    }
    return {
      input: 'subscription lists (OPML), in a browser',
      limit: `${limit / 2 ** 20} MiB`,
      attempts: Object.keys(LISTS).length,
      ...worst,
    };
  } finally {
    await browser.close();
  }
}
