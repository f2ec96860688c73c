import { type FileSource, FileSourceError } from '../media/file-source.ts';
import { isFeedFile } from './rss/file-source.ts';

/** File source of bots' posts when no bot is configured any more: every request fails. */
const NO_BOT_FILES: FileSource = {
  locateFile: async () => {
    throw new FileSourceError('unreachable', { code: 'no-token', sentence: 'BOT_TOKEN is missing' });
  },
  download: async () => {
    throw new FileSourceError('unreachable', { code: 'no-token', sentence: 'BOT_TOKEN is missing' });
  },
};

/** Combines the file sources: the file's id determines the source that fetches it. */
export const combineFileSources = (bot: FileSource | null, feeds: FileSource): FileSource => {
  // The path of a feed's file is its id, a URL, so both select the same source.
  const sourceOf = (fileIdOrPath: string) => (isFeedFile(fileIdOrPath) ? feeds : (bot ?? NO_BOT_FILES));
  return {
    locateFile: (fileId, signal) => sourceOf(fileId).locateFile(fileId, signal),
    download: (path, signal) => sourceOf(path).download(path, signal),
  };
};
