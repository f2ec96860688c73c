/** Import command: imports Telegram Desktop exports, and removes the demo. */

import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import type { MediaStore } from '../media/media-store.ts';
import { checkMediaStore, openMediaStore } from '../media/open-media-store.ts';
import { createCommandAuditEntry } from '../observability/audit-log.ts';
import { removeDemo } from '../sources/demo.ts';
import { type ImportOptions, importExport, type TelegramImportProgress } from '../sources/telegram-export/import.ts';
import { ImportError } from '../sources/telegram-export/open-export.ts';
import { remarksOf, summaryOf, writeRemarks } from '../sources/telegram-export/remarks.ts';
import { formatCountsLine, type TelegramImportResult } from '../sources/telegram-export/report.ts';
import { openDataDir } from '../storage/data-dir.ts';
import { openStore } from '../storage/open.ts';
import type { Store } from '../storage/ports/store.ts';
import { withRetries } from '../storage/retry.ts';
import { describeError } from './explain-error.ts';

const USAGE = `npm run import -- PATH... [--username NAME]
npm run import -- --remove-demo

PATH is the result.json of a Telegram Desktop export (format JSON), the folder that contains it, or a full export with many
chats. --username sets the channel's public name, which an export does not contain. The server may run meanwhile.`;

/**
 * Names and paths of an export are untrusted: characters that control a terminal, or change the direction of its text,
 * are replaced.
 */
const stripControlCharacters = (line: string): string => line.replace(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, '\ufffd');

const printLine = (line: string): void => console.error(stripControlCharacters(line));

/** Maximum number of remarks that are printed. More are summarized, and listed in a file. */
const MAX_PRINTED_REMARKS = 10;

/** Creates a progress printer: on a terminal, one line that is updated; elsewhere, a line for each 10 % of a stage. */
const createProgressPrinter = () => {
  let lastLine = '';
  return ({ stage, bytes, total }: TelegramImportProgress) => {
    const percent = total === 0 ? 100 : Math.floor((bytes / total) * 100);
    const line = `${stage} ${process.stderr.isTTY ? percent : Math.floor(percent / 10) * 10} %`;
    if (line === lastLine) return;
    lastLine = line;
    process.stderr.write(process.stderr.isTTY ? `\r${line}   ` : `${line}\n`);
  };
};

const printReport = async (report: TelegramImportResult, dataDir: string): Promise<void> => {
  if (process.stderr.isTTY) process.stderr.write('\r');
  const remarks = remarksOf(report);
  if (remarks.length <= MAX_PRINTED_REMARKS) for (const line of remarks) printLine(line);
  else {
    for (const line of summaryOf(report)) printLine(line);
    printLine(`The full list: ${await writeRemarks(remarks.map(stripControlCharacters), dataDir)}`);
  }
  for (const { name, type, messages } of report.otherChats)
    printLine(
      `Skipped ${JSON.stringify(name ?? 'a chat without a name')} (${type ?? 'no type'}, ${messages} messages): it is not a channel.`,
    );
};

/** Imports one path. If it is rejected, prints the reason, so that the next path can be imported. */
const importOnePath = async (path: string, options: ImportOptions, dataDir: string): Promise<TelegramImportResult | null> => {
  try {
    const report = await importExport(path, options);
    await printReport(report, dataDir);
    return report;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    printLine(error.message);
    process.exitCode = 1;
    return null;
  }
};

const importPaths = async (
  paths: readonly string[],
  username: string | undefined,
  { store, mediaStore, dataDir }: { readonly store: Store; readonly mediaStore: MediaStore; readonly dataDir: string },
) => {
  const reports = [];
  for (const path of paths)
    reports.push(
      await importOnePath(
        path,
        { store, mediaStore, onProgress: createProgressPrinter(), ...(username === undefined ? {} : { username }) },
        dataDir,
      ),
    );
  const hasDemo = (await store.demoChannelIds()).length > 0;
  if (hasDemo) console.error('The demo channels still exist; npm run import -- --remove-demo removes them.');
  const completed = reports.filter((report) => report !== null);
  if (completed.length > 0) console.log(formatCountsLine(completed.flatMap((report) => report.channels)));
};

const removeDemoChannels = async (store: Store): Promise<void> => {
  console.log(`Removed ${await removeDemo(store, createCommandAuditEntry('remove-demo'))} demo channels.`);
};

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { username: { type: 'string' }, 'remove-demo': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const shouldRemoveDemo = values['remove-demo'] === true;
  if (values.help) return console.log(USAGE);
  if (positionals.length === 0 && !shouldRemoveDemo) throw new ImportError(`No PATH was given.\n${USAGE}`);
  if (values.username !== undefined && !/^@?\w{3,64}$/.test(values.username))
    throw new ImportError(
      `--username ${values.username} is not a username; it must consist of letters, digits and _, such as city_news.`,
    );
  if (values.username !== undefined && positionals.length > 1)
    throw new ImportError('--username is allowed only with a single PATH, because it belongs to a single channel.');
  const config = loadConfig();
  await openDataDir(config.dataDir, (line) => printLine(line));
  const mediaStore = await openMediaStore(config);
  await checkMediaStore(mediaStore, printLine);
  const store = withRetries(await openStore(config), printLine);
  try {
    if (shouldRemoveDemo) await removeDemoChannels(store);
    if (positionals.length > 0) await importPaths(positionals, values.username, { store, mediaStore, dataDir: config.dataDir });
  } finally {
    await store.close();
  }
};

run().catch((error: unknown) => {
  printLine(describeError(error));
  process.exitCode = 1;
});
