import type { FeedFailure, FileFailure } from '../contract/failures.ts';

/**
 * Codes of the sentences by which files and feeds fail. The store keeps sentences, which logs and the API's older fields have too;
 * pages translate codes. A sentence without a code is shown as it is.
 */
type Table<Code extends string> = readonly (readonly [Code, RegExp])[];

const FILES: Table<FileFailure> = [
  ['too-large-for-bots', /^Telegram gives bots no file/],
  ['too-large', /^it is larger than/],
  ['unknown', /^Telegram (does not know|names) it/],
  ['unreachable', /could not be reached|cannot be reached/],
  ['broken-off', /^the download (broke off|stood still)$/],
  ['no-token', /^BOT_TOKEN is missing/],
  ['token-refused', /^Telegram refuses BOT_TOKEN/],
  ['asked-to-wait', /^Telegram asks to wait/],
  ['disk-full', /^the disk is full/],
  ['forbidden', /where nothing is fetched from$|outside of BOT_API_FILES$/],
  ['status', /^its server answers \d+$/],
  ['share-used', /^readers' feeds have their share/],
];

const FEEDS: Table<FeedFailure> = [
  ['gone', /is gone for good/],
  ['status', / answers \d+/],
  ['empty', /^The answer is empty/],
  ['broken', /broken and cannot be read/],
  ['no-feed', /^This is no RSS/],
  ['slow-to-read', /takes too long to read/],
  ['too-slow', /took longer than/],
  ['too-large', /is larger than/],
  ['torn', /broke off or cannot be unpacked|packed as/],
  ['redirects', /leads on more than/],
  ['downgrade', /from https to http/],
  ['certificate', /^The certificate of/],
  ['unknown-host', /^The name .* (is not known|has no address)/],
  ['forbidden', /not on the public internet|Only the ports|Only http and https|name or password|This is no address/],
  ['headers', /does not answer in HTTP|more headers than/],
  ['unreachable', /cannot be reached/],
  ['type', /not what was looked for/],
];

const codeIn = <Code extends string>(table: Table<Code>, sentence: string): Code | undefined =>
  table.find(([, expression]) => expression.test(sentence))?.[0];

/** Returns the code of a file's failure. */
export const fileFailureOf = (sentence: string): FileFailure => codeIn(FILES, sentence) ?? 'other';

/** Returns the code of a feed's failure. */
export const feedFailureOf = (sentence: string): FeedFailure => codeIn(FEEDS, sentence) ?? 'other';

/** Returns the status that a server answered, where the sentence names one. */
export const statusIn = (sentence: string): number | undefined => {
  const [, digits] = / answers (\d{3})\b/.exec(sentence) ?? [];
  return digits === undefined ? undefined : Number(digits);
};
