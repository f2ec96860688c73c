import { type FileSource, SourceProblem } from '../../media/file-source.ts';
import { type FetchReason, FetchRefused } from '../fetch/errors.ts';
import type { FetchPublic } from '../fetch/safe-fetch.ts';

/**
 * Maximum size of a feed's file. It is buffered in memory until it is complete, so this limit applies whatever MEDIA_FILE_LIMIT
 * allows a bot.
 */
export const LARGEST_FILE = 20 * 1024 * 1024;

const MS = 120_000;

/** Accepted content types of a file. An HTML page in its place means that access to the file is denied. */
const TYPES = /^(?!text\/html$|application\/xhtml)/;

const FOR_GOOD: ReadonlySet<FetchReason> = new Set(['address', 'scheme', 'userinfo', 'port', 'private', 'downgrade', 'type']);

const problemOf = (error: FetchRefused): SourceProblem => {
  if (error.reason === 'too-large')
    return new SourceProblem('too-large', { code: 'too-large', sentence: 'it is larger than files of feeds may be' });
  // Failures are counted by their sentence, so these sentences contain no host.
  if (FOR_GOOD.has(error.reason))
    return new SourceProblem('gone', { code: 'forbidden', sentence: 'it lies where nothing is fetched from' });
  return new SourceProblem('again', { code: 'unreachable', sentence: 'its server cannot be reached or does not give it' });
};

const checkStatus = (status: number): void => {
  if (status >= 200 && status < 300) return;
  const isForGood = status === 404 || status === 410;
  throw new SourceProblem(isForGood ? 'gone' : 'again', { code: 'status', sentence: `its server answers ${status}`, status });
};

/** Returns whether a file's id is a URL, as a feed's is, and not a file id of Telegram. */
export const isFeedFile = (fileId: string): boolean => /^https?:\/\//.test(fileId);

/** File source of feeds: downloads files from their original URL, which is their id. */
export const createFeedFiles = (fetchPublic: FetchPublic): FileSource => ({
  file: async (fileId) => ({ path: fileId, size: null }),
  async download(path, signal) {
    try {
      const limits = { bytes: LARGEST_FILE, ms: MS };
      const { status, body } = await fetchPublic(path, { limits, types: TYPES, signal });
      checkStatus(status);
      return (async function* () {
        yield body;
      })();
    } catch (error) {
      throw error instanceof FetchRefused ? problemOf(error) : error;
    }
  },
});
