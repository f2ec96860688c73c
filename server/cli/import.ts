/** Import command: imports Telegram Desktop exports, and removes the demo. */
import { parseArgs } from 'node:util';
import { readEnvironment } from '../config.ts';
import { actOfCommand } from '../observability/audit-log.ts';
import { removeDemo } from '../sources/demo.ts';
import { type ImportOptions, importPath, type Progress } from '../sources/telegram-export/import.ts';
import { ImportRefused } from '../sources/telegram-export/open-export.ts';
import { remarksOf, summaryOf, writeRemarks } from '../sources/telegram-export/remarks.ts';
import { countsLine, type ImportReport } from '../sources/telegram-export/report.ts';
import { openDataDir } from '../storage/data-dir.ts';
import { openStore } from '../storage/open.ts';
import type { Store } from '../storage/ports/store.ts';
import { retrying } from '../storage/retry.ts';
import { explain } from './explain-error.ts';

const USAGE = `npm run import -- PATH... [--username NAME]
npm run import -- --remove-demo

PATH is the result.json of a Telegram Desktop export (format JSON), the folder that holds it, or a full export with many
chats. --username gives the channel's public name, which an export does not tell. It may run beside the server.`;

/**
 * Names and paths of an export are untrusted: characters that control a terminal, or change the direction of its text, are
 * replaced.
 */
const harmless = (line: string): string => line.replace(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, '\ufffd');

const say = (line: string): void => console.error(harmless(line));

/** Maximum number of remarks that are printed. More are summarized, and listed in a file. */
const MAX_PRINTED = 10;

/** Creates a progress printer: one line that is updated on a terminal, ten steps for each stage elsewhere. */
const teller = () => {
  let told = '';
  return ({ stage, bytes, total }: Progress) => {
    const percent = total === 0 ? 100 : Math.floor((bytes / total) * 100);
    const line = `${stage} ${process.stderr.isTTY ? percent : Math.floor(percent / 10) * 10} %`;
    if (line === told) return;
    told = line;
    process.stderr.write(process.stderr.isTTY ? `\r${line}   ` : `${line}\n`);
  };
};

const tellReport = async (report: ImportReport, dataDir: string): Promise<void> => {
  if (process.stderr.isTTY) process.stderr.write('\r');
  const remarks = remarksOf(report);
  if (remarks.length <= MAX_PRINTED) for (const line of remarks) say(line);
  else {
    for (const line of summaryOf(report)) say(line);
    say(`The full list: ${await writeRemarks(remarks.map(harmless), dataDir)}`);
  }
  for (const { name, type, messages } of report.leftOut)
    say(
      `Left out ${JSON.stringify(name ?? 'a chat without a name')} (${type ?? 'no type'}, ${messages} messages): it is no channel.`,
    );
};

/** Imports one path. If it is rejected, prints the reason, so that the next path can be imported. */
const importOne = async (path: string, options: ImportOptions): Promise<ImportReport | null> => {
  try {
    const report = await importPath(path, options);
    await tellReport(report, options.dataDir);
    return report;
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    say(error.message);
    process.exitCode = 1;
    return null;
  }
};

const importAll = async (paths: readonly string[], username: string | undefined, store: Store, dataDir: string) => {
  const reports = [];
  for (const path of paths)
    reports.push(
      await importOne(path, { store, dataDir, onProgress: teller(), ...(username === undefined ? {} : { username }) }),
    );
  const demo = (await store.channels({ privateChannels: 'all' })).some((channel) => channel.demo);
  if (demo) console.error('The demo channels are still there; npm run import -- --remove-demo removes them.');
  const done = reports.filter((report) => report !== null);
  if (done.length > 0) console.log(countsLine(done.flatMap((report) => report.channels)));
};

const removeAndNote = async (store: Store): Promise<void> => {
  console.log(`Removed ${await removeDemo(store, actOfCommand('remove-demo'))} demo channels.`);
};

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { username: { type: 'string' }, 'remove-demo': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const removes = values['remove-demo'] === true;
  if (values.help) return console.log(USAGE);
  if (positionals.length === 0 && !removes) throw new ImportRefused(`No PATH was given.\n${USAGE}`);
  if (values.username !== undefined && !/^@?\w{3,64}$/.test(values.username))
    throw new ImportRefused(`--username ${values.username} is no username; it should be letters, digits and _, as city_news.`);
  if (values.username !== undefined && positionals.length > 1)
    throw new ImportRefused('--username goes with one PATH, as it belongs to one channel.');
  const config = readEnvironment();
  await openDataDir(config.dataDir, (line) => say(line));
  const store = retrying(await openStore(config), say);
  try {
    if (removes) await removeAndNote(store);
    if (positionals.length > 0) await importAll(positionals, values.username, store, config.dataDir);
  } finally {
    await store.close();
  }
};

run().catch((error: unknown) => {
  say(explain(error));
  process.exitCode = 1;
});
