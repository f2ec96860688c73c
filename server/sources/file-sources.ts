import { type FileSource, SourceProblem } from '../media/file-source.ts';
import { isFeedFile } from './rss/file-source.ts';

/** Files that a bot's posts wait for where no bot is set up any more. */
const NO_BOT: FileSource = {
  file: async () => {
    throw new SourceProblem('away', { code: 'no-token', sentence: 'BOT_TOKEN is missing' });
  },
  download: async () => {
    throw new SourceProblem('away', { code: 'no-token', sentence: 'BOT_TOKEN is missing' });
  },
};

/** The files of every source: each file's id tells whose it is. */
export const allFiles = (bot: FileSource | null, feeds: FileSource): FileSource => {
  const sourceOf = (name: string) => (isFeedFile(name) ? feeds : (bot ?? NO_BOT));
  return {
    file: (fileId, signal) => sourceOf(fileId).file(fileId, signal),
    download: (path, signal) => sourceOf(path).download(path, signal),
  };
};
