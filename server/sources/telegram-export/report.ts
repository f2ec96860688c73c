/**
 * Import report: counts of one channel of an export, with messages = posts + service + skipped, and posts = inserted +
 * updated + unchanged.
 */
export interface ImportCounts {
  messages: number;
  posts: number;
  service: number;
  skipped: number;
  inserted: number;
  updated: number;
  unchanged: number;
}

/** The result of an import. Lists are limited to 20,000 entries; the counts are complete. */
export interface TelegramImportResult {
  readonly channels: readonly ({ readonly id: string; readonly title: string } & Readonly<ImportCounts>)[];
  /** Chats of the export that are not channels. */
  readonly otherChats: readonly { readonly name: string | null; readonly type: string | null; readonly messages: number }[];
  /** Messages that were skipped, each with the reason. */
  readonly skipped: readonly { readonly channelId: string; readonly subject: string; readonly reason: string }[];
  /** Files and messages that were imported with a deviation from the export. */
  readonly deviations: readonly { readonly channelId: string; readonly subject: string; readonly reason: string }[];
  /** A line of counts that add up. */
  readonly countsLine: string;
}

/** Maximum number of entries in each of a report's lists, `skipped` and `deviations`. */
export const MAX_LISTED_REMARKS = 20_000;

/** Creates counts of zero. */
export const createImportCounts = (): ImportCounts => ({
  messages: 0,
  posts: 0,
  service: 0,
  skipped: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
});

/** Returns the line of counts that an import prints at its end. */
export const formatCountsLine = (channels: readonly Readonly<ImportCounts>[]): string => {
  const sum = (name: keyof ImportCounts) => channels.reduce((total, counts) => total + counts[name], 0);
  const channelCountText = `${channels.length} channel${channels.length === 1 ? '' : 's'}`;
  const breakdown = `${sum('posts')} posts + ${sum('service')} service + ${sum('skipped')} skipped`;
  return `Imported ${channelCountText}: ${sum('messages')} messages = ${breakdown} (${sum('inserted')} new, ${sum('updated')} changed, ${sum('unchanged')} as before)`;
};
