import { readFile, writeFile } from 'node:fs/promises';
import { listRow } from './hostile/lists.ts';
import { parserRows } from './hostile/parsers.ts';
import { addressRows, bodyRows, queryRows, type Row } from './hostile/requests.ts';
import { openSite } from './hostile/site.ts';

/** Maximum time that one input may block all other requests, in ms. */
const GOAL = 50;
const DOCUMENT = 'docs/hostile.md';
const TITLE = '## How long they block the server';

/**
 * Hostile input benchmark: measures how long untrusted input blocks the event loop: every request body at its route's size limit,
 * every parameter and every parser. Writes the table into docs/hostile.md.
 */
export async function benchHostile(): Promise<Record<string, string | number>[]> {
  const ends: (() => unknown)[] = [];
  try {
    const site = await openSite({ after: (end) => void ends.unshift(end) });
    const rows = [
      ...(await bodyRows(site)),
      ...(await queryRows(site)),
      ...(await addressRows(site)),
      ...(await parserRows(site)),
    ];
    const list = await listRow();
    await writeTable(rows, list);
    return [...rows, list].map(({ input, limit, attempts, name, ms }) => ({
      input,
      limit,
      attempts,
      worst: name,
      ms,
      goal: `<= ${GOAL}`,
    }));
  } finally {
    for (const end of ends) await end();
  }
}

/** Escapes a text for a table cell in Markdown. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

async function writeTable(rows: readonly Row[], list: Row): Promise<void> {
  const before = (await readFile(DOCUMENT, 'utf8')).split(TITLE)[0]?.trimEnd() ?? '';
  const lines = [...rows, list].map(
    ({ input, limit, attempts, name, ms }) => `| ${cell(input)} | ${limit} | ${attempts} | ${cell(name)} | ${ms.toFixed(1)} |`,
  );
  const over = rows.filter(({ ms }) => ms > GOAL).length;
  const text = `${before}

${TITLE}

The longest that one input blocks the event loop, and no longer than the process computed; the least of up to six tries, on a server of 2000 posts, at the limit of what is read: \`npm run bench -- hostile\`, which writes this table. None may take more than ${GOAL} ms; ${over === 0 ? 'none does' : `${over} do`}. The last line is of a browser that reads a file of its own reader's choice: it blocks that reader's tab alone, and the bound is not meant for it.

| input | limit | tried | longest | ms |
|---|---:|---:|---|---:|
${lines.join('\n')}
`;
  await writeFile(DOCUMENT, text);
}
