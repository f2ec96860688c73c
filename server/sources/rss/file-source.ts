import { type FileSource, FileSourceError } from '../../media/file-source.ts';
import { FetchError, type FetchReason } from '../fetch/errors.ts';
import type { FetchPublic } from '../fetch/safe-fetch.ts';

/**
 * Maximum size of a feed's file. It is buffered in memory until it is complete, so this limit applies whatever
 * MEDIA_FILE_LIMIT allows a bot.
 */
export const MAX_FEED_FILE_BYTES = 20 * 1024 * 1024;

const DOWNLOAD_TIMEOUT_MS = 120_000;

/** Accepted content types of a file. A server that denies access often sends an HTML page instead. */
const FILE_CONTENT_TYPES = /^(?!text\/html$|application\/xhtml)/;

const PERMANENT_REASONS: ReadonlySet<FetchReason> = new Set([
  'address',
  'scheme',
  'userinfo',
  'port',
  'private',
  'downgrade',
  'type',
]);

const toFileSourceError = (error: FetchError): FileSourceError => {
  if (error.reason === 'too-large')
    return new FileSourceError('too-large', { code: 'too-large', sentence: 'it is larger than the limit for files of feeds' });
  // Failures are counted by their sentence, so these sentences contain no host.
  if (PERMANENT_REASONS.has(error.reason))
    return new FileSourceError('gone', { code: 'forbidden', sentence: 'its address is not allowed' });
  return new FileSourceError('retry', { code: 'unreachable', sentence: 'its server could not be reached or did not send it' });
};

const assertOkStatus = (status: number): void => {
  if (status >= 200 && status < 300) return;
  const isPermanent = status === 404 || status === 410;
  throw new FileSourceError(isPermanent ? 'gone' : 'retry', {
    code: 'status',
    sentence: `its server responded with status ${status}`,
    status,
  });
};

/** Returns whether a file's id is a URL, as a feed's is, and not a file id of Telegram. */
export const isFeedFile = (fileId: string): boolean => /^https?:\/\//.test(fileId);

/** File source of feeds: downloads files from their original URL, which is their id. */
export const createFeedFileSource = (fetchPublic: FetchPublic): FileSource => ({
  locateFile: async (fileId) => ({ path: fileId, size: null }),
  async download(path, signal) {
    try {
      const limits = { bytes: MAX_FEED_FILE_BYTES, ms: DOWNLOAD_TIMEOUT_MS };
      const { status, body } = await fetchPublic(path, { limits, types: FILE_CONTENT_TYPES, signal });
      assertOkStatus(status);
      return (async function* () {
        yield body;
      })();
    } catch (error) {
      throw error instanceof FetchError ? toFileSourceError(error) : error;
    }
  },
});
