import { readFile, writeFile } from 'node:fs/promises';
import { listRow } from './hostile/lists.ts';
import { parserRows } from './hostile/parsers.ts';
import { addressRows, bodyRows, queryRows, type Row } from './hostile/requests.ts';
import { openSite } from './hostile/site.ts';

/** Maximum time that one input may block all other requests, in ms. */
const GOAL_MS = 50;
const DOCUMENT = 'docs/hostile.md';
const TITLE = '## How long they block the server';

/**
 * Hostile input benchmark: measures how long untrusted input blocks the event loop: every request body at its route's size limit,
 * every parameter and every parser. Writes the table into docs/hostile.md.
 */
export async function benchHostile(): Promise<Record<string, string | number>[]> {
  const cleanups: (() => unknown)[] = [];
  try {
    const site = await openSite({ after: (cleanup) => void cleanups.unshift(cleanup) });
    const rows = [
      ...(await bodyRows(site)),
      ...(await queryRows(site)),
      ...(await addressRows(site)),
      ...(await parserRows(site)),
    ];
    const opmlRow = await listRow();
    await writeTable(rows, opmlRow);
    return [...rows, opmlRow].map(({ input, limit, attempts, name, ms }) => ({
      input,
      limit,
      attempts,
      worst: name,
      ms,
      goal: `<= ${GOAL_MS}`,
    }));
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

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

The longest that one input blocks the event loop, and no longer than the process computed; the least of up to six tries, on a server of 2000 posts, at the limit of what is read: \`npm run bench -- hostile\`, which writes this table. None may take more than ${GOAL_MS} ms; ${exceeding === 0 ? 'none does' : `${exceeding} do`}. The last line is of a browser that reads a file of its own reader's choice: it blocks that reader's tab alone, and the bound is not meant for it.

| input | limit | tried | longest | ms |
|---|---:|---:|---|---:|
${lines.join('\n')}
`;
  await writeFile(DOCUMENT, text);
}
