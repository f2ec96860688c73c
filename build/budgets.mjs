import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { outputOf, staticClosure } from './web.mjs';

/** DESIGN's budgets, in thousand bytes of gzip. They only go down. */
const BUDGETS = {
  'first load of /main, all JavaScript': 125,
  'of it before first paint': 85,
  'one tag on a foreign page': 118,
  'a page’s initial chunk': 15,
  'style sheets of /main': 12,
  'sw.js': 8,
};

const SHELL = ['src/main.ts', 'elements/changer-layout.ts'];
const FEED = 'elements/changer-feed.ts';
const API = ['node_modules/axios', 'node_modules/axios-cache-interceptor', 'src/api/'];

/** Measures the bundle. Gives rows of {what, kB, budget}; a page's chunk is what it adds to the shell. */
export async function measure({ metafile, texts }, elements, worker) {
  const sizes = new Map();
  for (const path of Object.keys(metafile.outputs)) {
    if (path.endsWith('.js')) sizes.set(path, gzipSync(await readFile(path), { level: 9 }).length);
  }
  const total = (paths) => [...paths].reduce((sum, path) => sum + sizes.get(path), 0) / 1000;
  const shell = staticClosure(metafile, SHELL);
  const main = staticClosure(metafile, [...SHELL, FEED]);
  const pages = elements.map((entry) => {
    const own = [...staticClosure(metafile, [entry])].filter((path) => !shell.has(path));
    return { what: `  ${outputName(entry)}`, kB: total(own), budget: BUDGETS['a page’s initial chunk'] };
  });
  const row = (what, kB) => ({ what, kB, budget: BUDGETS[what] });
  return [
    row('first load of /main, all JavaScript', total(withApi(metafile, main))),
    row('of it before first paint', total(main)),
    row('one tag on a foreign page', total(withApi(metafile, staticClosure(metafile, [FEED])))),
    row('style sheets of /main', gzipSync(stylesIn(metafile, main, texts)).length / 1000),
    row('sw.js', gzipSync(await readFile(worker), { level: 9 }).length / 1000),
    ...pages,
  ];
}

const outputName = (entry) => entry.replace(/^.*\/(.*)\.ts$/, '<$1>');

/** Adds the API client's chunks, which the first request loads. */
function withApi(metafile, paths) {
  const all = new Set(paths);
  for (const path of paths) {
    for (const { path: next, kind } of metafile.outputs[path].imports) {
      const entry = metafile.outputs[next]?.entryPoint;
      if (kind !== 'dynamic-import' || entry === undefined || !API.some((start) => entry.startsWith(start))) continue;
      for (const reached of staticClosure(metafile, [entry])) all.add(reached);
    }
  }
  return all;
}

function stylesIn(metafile, paths, texts) {
  const inputs = new Set([...paths].flatMap((path) => Object.keys(metafile.outputs[path].inputs)));
  return [...texts]
    .filter(([path]) => [...inputs].some((input) => path.endsWith(input)))
    .map(([, text]) => text)
    .join('\n');
}

/** Writes the rows as a table. */
export function table(rows) {
  const width = Math.max(...rows.map(({ what }) => what.length));
  return rows
    .map(
      ({ what, kB, budget }) =>
        `${what.padEnd(width)}  ${kB.toFixed(1).padStart(6)} kB  of ${String(budget).padStart(3)}${kB > budget ? '  TOO LARGE' : ''}`,
    )
    .join('\n');
}
