import { type FileSource, SourceProblem } from '../../media/file-source.ts';
import { type FetchReason, FetchRefused } from '../fetch/errors.ts';
import type { FetchPublic } from '../fetch/safe-fetch.ts';

/** A feed's file is held in memory until it is whole, so it is never larger than this, whatever MEDIA_FILE_LIMIT allows a bot. */
export const LARGEST_FILE = 20 * 1024 * 1024;

const MS = 120_000;

/** What may be a file; a page in its place is a door that is closed to us. */
const TYPES = /^(?!text\/html$|application\/xhtml)/;

const FOR_GOOD: ReadonlySet<FetchReason> = new Set(['address', 'scheme', 'userinfo', 'port', 'private', 'downgrade', 'type']);

const problemOf = (error: FetchRefused): SourceProblem => {
  if (error.reason === 'too-large')
    return new SourceProblem('too-large', { code: 'too-large', sentence: 'it is larger than files of feeds may be' });
  // Failures are counted by their words, so these name no host.
  if (FOR_GOOD.has(error.reason))
    return new SourceProblem('gone', { code: 'forbidden', sentence: 'it lies where nothing is fetched from' });
  return new SourceProblem('again', { code: 'unreachable', sentence: 'its server cannot be reached or does not give it' });
};

const checkStatus = (status: number): void => {
  if (status >= 200 && status < 300) return;
  const isForGood = status === 404 || status === 410;
  throw new SourceProblem(isForGood ? 'gone' : 'again', { code: 'status', sentence: `its server answers ${status}`, status });
};

/** Whether a file's id is an address, as a feed's is, and not a name of Telegram's. */
export const isFeedFile = (fileId: string): boolean => /^https?:\/\//.test(fileId);

/** The files that feeds name, fetched from where they lie: their id is their address. */
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
