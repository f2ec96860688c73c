import { readFile } from 'node:fs/promises';

type Row = Record<string, string | number>;

/**
 * Minimum size of this stack, in kB after gzip: React 19, r2wc, axios with its cache, navigo and lit-localize around a
 * component that renders "hello". (If axios is loaded after the rest, 74.9 kB are loaded first.)
 */
const FLOOR: Readonly<Record<string, number>> = {
  'first load of /main, all JavaScript': 102.2,
  '  before the first paint': 74.9,
  'one tag on a third-party page, everything': 98,
};

/** Bundle sizes: returns the sizes of the last build, in kB after gzip. */
export async function benchSizes(): Promise<Row[]> {
  const rows: { name: string; kB: number; budget: number }[] = JSON.parse(await readFile('dist/sizes.json', 'utf8'));
  return rows.map(({ name, kB, budget }) => {
    const floor = FLOOR[name];
    return {
      name: name.trim(),
      'kB gzip': Number(kB.toFixed(1)),
      budget,
      minimum: floor ?? '',
      'above minimum': floor === undefined ? '' : Number((kB - floor).toFixed(1)),
    };
  });
}
