import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CLIENT, DATA, FRAME, outputOf, PARTS, staticClosure } from './app-bundle.mjs';

/** Size budgets, in kB (1000 bytes) after gzip. They are only ever lowered. */
const BUDGETS = {
  'first load of /main, all JavaScript': 125,
  '  and where posts hold files, players or code': 129.5,
  '  and on a desk, with the line-up beside it': 131.5,
  'of it before first paint': 85,
  'the words of another language': 6,
  'one tag on a foreign page': 106.5,
  '  of it the loader, which runs first': 4,
  'a page’s initial chunk': 15,
  'what follows the server’s events': 6.2,
  'style sheets of /main': 12,
  'sw.js': 8,
};

const FEED = 'elements/changer-feed.ts';
/** Loaded with the feed only in a wide window. */
const DESK = 'src/features/layout/SideBarContent.tsx';
/** Loaded when the first posts are rendered. */
const LIVE = 'src/app/live-chunk.ts';
/**
 * Messages: one module per language, of which a reader loads one before the first paint. Those of lazy chunks are in subfolders.
 */
const WORDS = 'src/i18n/locales';

/**
 * Measures the bundle. Returns rows of {what, kB, budget}. Style sheets are inside the JavaScript and are counted only once, in
 * their own row. A page's chunk is what it adds to the files that every load fetches.
 */
export async function measure({ app, embeds, texts }, elements, worker) {
  const sizes = new Map();
  for (const metafile of [app, embeds]) {
    for (const path of Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'))) {
      sizes.set(path, gzipped(await readFile(path)) - gzipped(stylesIn(metafile, [path], texts)));
    }
  }
  const total = (paths) => [...paths].reduce((sum, path) => sum + sizes.get(path), 0);
  const shell = staticClosure(app, FRAME);
  const everywhere = staticClosure(app, [...FRAME, ...DATA]);
  const main = staticClosure(app, [...FRAME, ...DATA, FEED]);
  const full = staticClosure(app, [...FRAME, ...DATA, FEED, PARTS]);
  const desk = staticClosure(app, [...FRAME, ...DATA, FEED, PARTS, DESK]);
  const { targetLocales } = JSON.parse(await readFile('lit-localize.json', 'utf8'));
  const words = targetLocales.map((locale) => `${WORDS}/${locale}.ts`);
  const loader = gzipped(await readFile(join(dirname(worker), FEED.replace(/ts$/, 'js'))));
  const row = (what, kB, budget = BUDGETS[what]) => ({ what, kB, budget });
  return [
    row('first load of /main, all JavaScript', total(main)),
    row('  and where posts hold files, players or code', total(full)),
    row('  and on a desk, with the line-up beside it', total(desk)),
    row('of it before first paint', total(shell)),
    row('the words of another language', Math.max(...words.map((path) => sizes.get(outputOf(app, path))))),
    row('one tag on a foreign page', loader + total(staticClosure(embeds, [FEED, PARTS, CLIENT]))),
    row('  of it the loader, which runs first', loader),
    row('what follows the server’s events', total([...staticClosure(app, [LIVE])].filter((path) => !main.has(path)))),
    row('style sheets of /main', gzipped(stylesIn(app, desk, texts))),
    row('sw.js', gzipped(await readFile(worker))),
    ...elements.map((entry) => {
      const own = [...staticClosure(app, [entry])].filter((path) => !everywhere.has(path));
      return row(`  ${entry.replace(/^.*\/(.*)\.ts$/, '<$1>')}`, total(own), BUDGETS['a page’s initial chunk']);
    }),
  ];
}

const gzipped = (bytes) => (bytes.length === 0 ? 0 : gzipSync(bytes, { level: 9 }).length / 1000);

function stylesIn(metafile, paths, texts) {
  const inputs = new Set([...paths].flatMap((path) => Object.keys(metafile.outputs[path].inputs)));
  // Ordered as in the bundle: the order of `texts` is the order in which the files were read. It varies, and with it the
  // compressed size.
  return [...inputs].flatMap((input) => [...texts].find(([path]) => path.endsWith(input))?.[1] ?? []).join('\n');
}

/** Formats the rows as a table. */
export function table(rows) {
  const width = Math.max(...rows.map(({ what }) => what.length));
  return rows
    .map(
      ({ what, kB, budget }) =>
        `${what.padEnd(width)}  ${kB.toFixed(1).padStart(6)} kB  of ${String(budget).padStart(3)}${kB > budget ? '  TOO LARGE' : ''}`,
    )
    .join('\n');
}
