import type { MediaFile } from '../domain/model.ts';
import type { WantedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import type { Outcome } from './download.ts';

/** Keeps the feeds that readers added to their share of the quota. */
export interface Share {
  /** Refuses a file that would go beyond it; null for what may be fetched. */
  refuse(wanted: WantedFile): Promise<Outcome | null>;
  /** Counts a file that is kept now. */
  count(wanted: WantedFile, file: MediaFile): void;
}

interface Sharing {
  readonly store: Pick<Store, 'elsewhereBytes'>;
  /** Bytes; 0 for no limit. */
  readonly quota: number;
  /** Milliseconds since any moment. */
  readonly passed: () => number;
}

/**
 * Of the quota, what channels from elsewhere alone may take. Anyone may add one, and of their pictures something always stays
 * (see room.ts): three quarters are left to the operators' own, and 5 GB of the usual 20 are some fifty thousand pictures. What a
 * feed has taken out of its posts is not counted; it is collected within two days.
 */
const OF_THE_QUOTA = 1 / 4;

/** The store reads through all of their files (0.3 s for fifty thousand): it is asked once a minute, and what comes is counted. */
const ASK_MS = 60_000;

/** Makes the share of one process; what is under way in it, or was kept by others in the last minute, may go beyond. */
export const createShare = ({ store, quota, passed }: Sharing): Share => {
  let taken = 0;
  let askAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<void> => {
    taken = await store.elsewhereBytes();
    askAt = passed() + ASK_MS;
  };

  return {
    async refuse({ elsewhere, size }) {
      if (!elsewhere || quota === 0) return null;
      if (passed() >= askAt) await ask();
      if (taken + (size ?? 0) <= quota * OF_THE_QUOTA) return null;
      const sentence = "readers' feeds have their share of MEDIA_QUOTA";
      return { type: 'over-share', failure: { code: 'share-used', sentence }, seconds: 0 };
    },
    count({ elsewhere }, file) {
      if (elsewhere) taken += file.size;
    },
  };
};
