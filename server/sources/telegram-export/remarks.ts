/**
 * Import remarks: lines about messages and files that an import skipped or changed, their summary, and the file with
 * all of them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_LISTED_REMARKS, type TelegramImportResult } from './report.ts';

type Remark = TelegramImportResult['deviations'][number];

/**
 * Maximum number of groups in a summary. Only the full list (`writeRemarks`) contains the remarks of further groups.
 */
const MAX_GROUPS = 20;

/** Returns a line for each skipped message, and for each file or message that was imported with a deviation. */
export const remarksOf = ({ skipped, deviations }: TelegramImportResult): string[] => [
  ...skipped.map(({ channelId, subject, reason }) => `Skipped ${subject} of channel ${channelId}: ${reason}.`),
  ...deviations.map(({ channelId, subject, reason }) => `Note on ${subject} of channel ${channelId}: ${reason}.`),
];

/** Returns the remarks grouped by kind (messages, or the folder of a file) and by reason. */
export const summaryOf = ({ skipped, deviations }: TelegramImportResult): string[] => [
  ...summarize('Skipped', skipped),
  ...summarize('Note on', deviations),
];

function summarize(prefix: string, remarks: readonly Remark[]): string[] {
  const groups = new Map<string, { count: number; readonly line: string }>();
  for (const { subject, reason } of remarks) {
    const kind = remarkKindOf(subject);
    const key = `${kind} ${reason}`;
    const group = groups.get(key) ?? { count: 0, line: `${kind}: ${reason}.` };
    group.count += 1;
    groups.set(key, group);
  }
  const ordered = [...groups.values()].sort((first, second) => second.count - first.count);
  const lines = ordered.slice(0, MAX_GROUPS).map(({ count, line }) => `${prefix} ${formatNumber(count)} ${line}`);
  const omittedCount = ordered.slice(MAX_GROUPS).reduce((sum, { count }) => sum + count, 0);
  if (omittedCount > 0) lines.push(`${prefix} ${formatNumber(omittedCount)} others: see the full list.`);
  if (remarks.length === MAX_LISTED_REMARKS)
    lines.push(`These are the first ${formatNumber(MAX_LISTED_REMARKS)}: there may be more.`);
  return lines;
}

const formatNumber = (count: number): string => count.toLocaleString('en');

/**
 * Returns the kind of a remark's subject. Exports store each kind of file in a separate folder: photos, video_files,
 * files, and so on.
 */
function remarkKindOf(subject: string): string {
  if (/^(message|entry) /.test(subject)) return 'messages';
  const [, folder] = /^([^/\\]{1,40})[/\\]/.exec(subject) ?? [];
  return folder === undefined ? 'files' : `files in ${folder}/`;
}

/** Writes the full list to a new file in DATA_DIR. Returns its path. */
export async function writeRemarks(lines: readonly string[], dataDir: string): Promise<string> {
  const folder = join(dataDir, 'import-remarks');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}.txt`);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}
