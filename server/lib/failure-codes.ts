import { FEED_FAILURES, type FeedFailure, FILE_FAILURES, type FileFailure } from '../../contract/failures.ts';

/**
 * Failure codes of files and feeds: the code, which pages translate, and the sentence for logs and the API's older
 * fields. `status` is the HTTP status of the server's response.
 */
export interface SourceFailure<Code extends string = FileFailure | FeedFailure> {
  readonly code: Code;
  readonly sentence: string;
  readonly status?: number;
}

const STORED_FAILURE_PATTERN = /^\[([a-z-]+)(?: (\d{3}))?\] ([\s\S]*)$/;

/** Serializes a failure as one text, the format in the store: `[status 503] The feed's server answers 503.` */
export const formatFailure = ({ code, sentence, status }: SourceFailure): string =>
  `[${code}${status === undefined ? '' : ` ${status}`}] ${sentence}`;

/** Parses the stored reason for which a file was not downloaded. */
export const parseFileFailure = (stored: string): SourceFailure<FileFailure> =>
  parseFailure(stored, FILE_FAILURES, LEGACY_FILE_PATTERNS);

/** Parses the stored reason for which a feed was not read. */
export const parseFeedFailure = (stored: string): SourceFailure<FeedFailure> =>
  parseFailure(stored, FEED_FAILURES, LEGACY_FEED_PATTERNS);

function parseFailure<Code extends string>(
  stored: string,
  codes: readonly Code[],
  legacyPatterns: LegacyPatterns<Code | 'other'>,
): SourceFailure<Code | 'other'> {
  const [, name, status, sentence] = STORED_FAILURE_PATTERN.exec(stored) ?? [];
  const code = codes.find((known) => known === name);
  if (sentence === undefined || code === undefined) return parseLegacyFailure(stored, legacyPatterns);
  return { code, sentence, ...(status !== undefined && { status: Number(status) }) };
}

/** Earlier versions stored only the sentence. No failure of this version is parsed with these expressions. */
type LegacyPatterns<Code extends string> = readonly (readonly [Code, RegExp])[];

function parseLegacyFailure<Code extends string>(
  sentence: string,
  legacyPatterns: LegacyPatterns<Code | 'other'>,
): SourceFailure<Code | 'other'> {
  const code = legacyPatterns.find(([, expression]) => expression.test(sentence))?.[0] ?? 'other';
  const [, status] = / answers (\d{3})\b/.exec(sentence) ?? [];
  return { code, sentence, ...(status !== undefined && { status: Number(status) }) };
}

const LEGACY_FILE_PATTERNS: LegacyPatterns<FileFailure> = [
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

const LEGACY_FEED_PATTERNS: LegacyPatterns<FeedFailure> = [
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
