import type { FileFailure } from '../../contract/failures.ts';
import type { FileCounts, StorageUse } from '../../contract/operator.ts';
import { readFileFailure } from '../lib/failure-codes.ts';
import type { Store } from '../storage/ports/store.ts';
import { freeBytes } from './quota.ts';

/** How fetching and keeping stand; `paused` says why nothing is fetched just now, `pausedCode` for pages. */
export interface MediaStatus {
  readonly queue: FileCounts;
  readonly storage: StorageUse;
  readonly paused: string | null;
  readonly pausedCode: FileFailure | null;
}

const FACT = 'files-paused';

/** Stores why nothing is fetched, as written by writeFailure, or null once fetching goes on. All processes read it. */
export const tellPause = (store: Store, reason: string | null): Promise<void> =>
  reason === null ? store.dropFact(FACT) : store.putFact(FACT, reason);

/** Reads how fetching and keeping stand, for operators. */
export const readMediaStatus = async ({
  store,
  dataDir,
  quota,
}: {
  readonly store: Store;
  readonly dataDir: string;
  readonly quota: number;
}): Promise<MediaStatus> => {
  const [queue, used, free, paused] = await Promise.all([
    store.fileCounts(null),
    store.keptBytes(),
    freeBytes(dataDir),
    store.fact(FACT),
  ]);
  const failure = paused === null ? null : readFileFailure(paused);
  return {
    queue,
    storage: { used, quota, ...(free === null ? {} : { free }) },
    paused: failure?.sentence ?? null,
    pausedCode: failure?.code ?? null,
  };
};
