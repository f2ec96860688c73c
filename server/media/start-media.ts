import type { Config } from '../config.ts';
import type { Say } from '../observability/request-log.ts';
import type { Store } from '../storage/ports/store.ts';
import { createFetcher } from './download-queue.ts';
import type { FileSource } from './file-source.ts';
import { collectDaily } from './garbage-collection.ts';
import { LIMITS } from './limits.ts';

interface MediaParts {
  readonly config: Pick<Config, 'dataDir' | 'mediaQuota' | 'mediaFileBytes'>;
  readonly store: Store;
  /** Where posts' files come from. */
  readonly source: FileSource;
  readonly log: Say;
}

/** Starts what is done with files in the background: fetching, and deleting what nothing shows. Answers how to stop. */
export const startMedia = ({ config, store, source, log }: MediaParts): (() => Promise<void>) => {
  const { dataDir, mediaQuota: quota, mediaFileBytes: fileBytes } = config;
  const stopCollecting = collectDaily({ dataDir, store }, log);
  const limits = { ...LIMITS, quota, fileBytes };
  const fetcher = createFetcher({ store, dataDir, source, limits, now: Date.now, log });
  fetcher.start();
  return async () => {
    stopCollecting();
    await fetcher.stop();
  };
};
