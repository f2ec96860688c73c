import { readFile, writeFile } from 'node:fs/promises';
import { opmlRow } from './hostile/lists.ts';
import { parserRows } from './hostile/parsers.ts';
import { bodyRows, queryRows, type Row, urlAndHeaderRows } from './hostile/requests.ts';
import { openSite } from './hostile/site.ts';

/** Maximum time that one input may block all other requests, in ms. */
const GOAL_MS = 50;
const DOCUMENT = 'docs/hostile.md';
const TITLE = '## Blocking time of the event loop';

/**
 * Hostile input benchmark: measures how long untrusted input blocks the event loop: every request body at its route's
 * size limit, every parameter and every parser. Writes the table into docs/hostile.md. `BENCH_ONLY` is the path of a
 * route, for example `/api/channels`: only its query parameters are measured, and the table is not written.
 */
export async function benchHostile(): Promise<Record<string, string | number>[]> {
  const cleanups: (() => unknown)[] = [];
  try {
    const site = await openSite({ after: (cleanup) => void cleanups.unshift(cleanup) });
    const onlyPath = process.env.BENCH_ONLY;
    if (onlyPath !== undefined) return (await queryRows(site, onlyPath)).map(toResult);
    const rows = [
      ...(await bodyRows(site)),
      ...(await queryRows(site)),
      ...(await urlAndHeaderRows(site)),
      ...(await parserRows(site)),
    ];
    const browserRow = await opmlRow();
    await writeTable(rows, browserRow);
    return [...rows, browserRow].map(toResult);
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

/** Returns a row of the printed table. */
const toResult = ({ input, limit, attempts, name, ms }: Row): Record<string, string | number> => ({
  ...{ input, limit, attempts, worst: name, ms },
  goal: `<= ${GOAL_MS}`,
});

/** Escapes a text for a table cell in Markdown. */
const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

async function writeTable(rows: readonly Row[], opmlRow: Row): Promise<void> {
  const precedingText = (await readFile(DOCUMENT, 'utf8')).split(TITLE)[0]?.trimEnd() ?? '';
  const lines = [...rows, opmlRow].map(
    ({ input, limit, attempts, name, ms }) =>
      `| ${escapeCell(input)} | ${limit} | ${attempts} | ${escapeCell(name)} | ${ms.toFixed(1)} |`,
  );
  const exceeding = rows.filter(({ ms }) => ms > GOAL_MS).length;
  const text = `${precedingText}

${TITLE}

Each row has the longest time that a single input of this kind blocks the event loop. \`npm run bench -- hostile\` measures it and writes this table. The server has 2000 posts, and an input is as large as its size limit allows. A time is the minimum of up to six attempts, and no longer than the CPU time that the process used.

No input of the server may take more than ${GOAL_MS} ms. ${exceeding === 0 ? 'No row exceeds' : `${exceeding} ${exceeding === 1 ? 'row exceeds' : 'rows exceed'}`} this limit. The limit does not apply to the last row: it is of a browser that reads a file which its reader chose, and blocks only the tab of that reader.

| kind of input | size limit | inputs | slowest input | ms |
|---|---:|---:|---|---:|
${lines.join('\n')}
`;
  await writeFile(DOCUMENT, text);
}
