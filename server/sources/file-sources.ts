import { type FileSource, SourceProblem } from '../media/file-source.ts';
import { isFeedFile } from './rss/file-source.ts';

/** File source of bots' posts when no bot is configured any more: every request fails. */
const NO_BOT: FileSource = {
  file: async () => {
    throw new SourceProblem('away', { code: 'no-token', sentence: 'BOT_TOKEN is missing' });
  },
  download: async () => {
    throw new SourceProblem('away', { code: 'no-token', sentence: 'BOT_TOKEN is missing' });
  },
};

/** Combines the file sources: the file's id determines the source that fetches it. */
export const allFiles = (bot: FileSource | null, feeds: FileSource): FileSource => {
  const sourceOf = (name: string) => (isFeedFile(name) ? feeds : (bot ?? NO_BOT));
  return {
    file: (fileId, signal) => sourceOf(fileId).file(fileId, signal),
    download: (path, signal) => sourceOf(path).download(path, signal),
  };
};
