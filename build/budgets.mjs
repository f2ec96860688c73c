import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { COMMON_CHUNK_ENTRY, DATA_ENTRIES, FRAME_ENTRIES, findOutput, HTTP_CLIENT_ENTRY, staticClosure } from './app-bundle.mjs';

/** Size budgets, in kB (1000 bytes) after gzip. They are only ever lowered. */
const BUDGETS = {
  'first load of /main, all JavaScript': 120,
  '  with posts that contain files, players or code': 125,
  '  on a wide screen, with the line-up next to it': 126.5,
  '  before the first paint': 77,
  'messages of one language': 6,
  'one tag on a third-party page, everything': 104,
  '  its loader, which runs first': 4,
  '  what its loader adds after the first posts': 3,
  'a page’s initial chunk': 15,
  'chunk that handles the server’s events': 6.2,
  'style sheets of /main': 12,
  'sw.js': 8,
};

const FEED_ENTRY = 'elements/changer-feed.ts';
/** Loaded with the feed only in a wide window. */
const SIDE_BAR_ENTRY = 'src/features/layout/SideBarContent.tsx';
/** Loaded when the first posts are rendered. */
const LIVE_ENTRY = 'src/app/live-chunk.ts';
/**
 * Messages: one module per language, of which a reader loads one before the first paint. The messages of lazy chunks
 * are in subfolders.
 */
const MESSAGES_FOLDER = 'src/i18n/locales';

/**
 * Bundle size check: measures the bundle. Returns rows of {name, kB, budget}. `app` and `embeds` are metafiles, `texts`
 * the style sheets by path, `elements` the entries of the app's pages, and `worker` the path of the service worker.
 * Style sheets are inside the JavaScript and are counted only once, in their own row. A page's chunk counts what it
 * adds to the files that every load fetches.
 */
export async function measureBundle({ app, embeds, texts, visitChunk }, elements, worker) {
  const sizes = new Map();
  for (const metafile of [app, embeds]) {
    for (const path of Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'))) {
      sizes.set(path, gzipKilobytes(await readFile(path)) - gzipKilobytes(stylesIn(metafile, [path], texts)));
    }
  }
  const total = (paths) => [...paths].reduce((sum, path) => sum + sizes.get(path), 0);
  const frameFiles = staticClosure(app, FRAME_ENTRIES);
  const commonFiles = staticClosure(app, [...FRAME_ENTRIES, ...DATA_ENTRIES]);
  const mainFiles = staticClosure(app, [...FRAME_ENTRIES, ...DATA_ENTRIES, FEED_ENTRY]);
  const mainAndMediaFiles = staticClosure(app, [...FRAME_ENTRIES, ...DATA_ENTRIES, FEED_ENTRY, COMMON_CHUNK_ENTRY]);
  const desktopFiles = staticClosure(app, [...FRAME_ENTRIES, ...DATA_ENTRIES, FEED_ENTRY, COMMON_CHUNK_ENTRY, SIDE_BAR_ENTRY]);
  const { targetLocales } = JSON.parse(await readFile('lit-localize.json', 'utf8'));
  const messageModules = targetLocales.map((locale) => `${MESSAGES_FOLDER}/${locale}.ts`);
  const loader = gzipKilobytes(await readFile(join(dirname(worker), FEED_ENTRY.replace(/ts$/, 'js'))));
  const visit = gzipKilobytes(await readFile(visitChunk));
  const row = (name, kB, budget = BUDGETS[name]) => ({ name, kB, budget });
  return [
    row('first load of /main, all JavaScript', total(mainFiles)),
    row('  with posts that contain files, players or code', total(mainAndMediaFiles)),
    row('  on a wide screen, with the line-up next to it', total(desktopFiles)),
    row('  before the first paint', total(frameFiles)),
    row('messages of one language', Math.max(...messageModules.map((path) => sizes.get(findOutput(app, path))))),
    row(
      'one tag on a third-party page, everything',
      loader + visit + total(staticClosure(embeds, [FEED_ENTRY, COMMON_CHUNK_ENTRY, HTTP_CLIENT_ENTRY])),
    ),
    row('  its loader, which runs first', loader),
    row('  what its loader adds after the first posts', visit),
    row(
      'chunk that handles the server’s events',
      total([...staticClosure(app, [LIVE_ENTRY])].filter((path) => !mainFiles.has(path))),
    ),
    row('style sheets of /main', gzipKilobytes(stylesIn(app, desktopFiles, texts))),
    row('sw.js', gzipKilobytes(await readFile(worker))),
    ...elements.map((entry) => {
      const pageFiles = [...staticClosure(app, [entry])].filter((path) => !commonFiles.has(path));
      return row(`  ${entry.replace(/^.*\/(.*)\.ts$/, '<$1>')}`, total(pageFiles), BUDGETS['a page’s initial chunk']);
    }),
  ];
}

const gzipKilobytes = (bytes) => (bytes.length === 0 ? 0 : gzipSync(bytes, { level: 9 }).length / 1000);

function stylesIn(metafile, paths, texts) {
  const inputs = new Set([...paths].flatMap((path) => Object.keys(metafile.outputs[path].inputs)));
  // Ordered as in the bundle: the order of `texts` is the order in which the files were read. It varies, and with it
  // the compressed size.
  return [...inputs].flatMap((input) => [...texts].find(([path]) => path.endsWith(input))?.[1] ?? []).join('\n');
}

/** Formats the rows as a table. */
export function formatTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(
      ({ name, kB, budget }) =>
        `${name.padEnd(width)}  ${kB.toFixed(1).padStart(6)} kB  of ${String(budget).padStart(3)}${kB > budget ? '  TOO LARGE' : ''}`,
    )
    .join('\n');
}
