import { join } from 'node:path';
import type { S3Settings } from '../config.ts';
import { StorageError } from '../lib/infrastructure-errors.ts';
import type { LogFn } from '../lib/logger.ts';
import { withTimeout } from '../lib/time.ts';
import { createFolderMediaStore } from './folder-media-store.ts';
import type { MediaStore } from './media-store.ts';

/** Settings that select the place of the media files. */
export interface MediaLocation {
  readonly dataDir: string;
  readonly s3?: S3Settings | null;
}

/** Folder of incomplete files, in DATA_DIR, if the media files themselves are in a bucket. */
const TEMPORARY_FOLDER = 'tmp';

/** Opens the media store: that of a bucket if one is configured, otherwise that of DATA_DIR. */
export const openMediaStore = async ({ dataDir, s3 = null }: MediaLocation): Promise<MediaStore> => {
  if (s3 === null) return createFolderMediaStore(dataDir);
  // Loaded only if it is used: the AWS SDK has ten thousand files.
  const { createS3MediaStore } = await import('./s3/media-store.ts');
  return createS3MediaStore(s3, join(dataDir, TEMPORARY_FOLDER));
};

/**
 * Checks the media store at the start. Throws if a setting is wrong. If the server of object storage is unreachable,
 * logs that and continues: posts are served without their files, and downloads are tried again.
 */
export const checkMediaStore = async (mediaStore: MediaStore, log: LogFn): Promise<void> => {
  try {
    await withTimeout(mediaStore.assertHealthy());
  } catch (error) {
    const { isSettingFault } = await import('./s3/errors.ts');
    if (isSettingFault(error)) throw error;
    const isKnown = error instanceof StorageError && error.kind === 'media';
    const reason = isKnown ? error.message : 'S3_ENDPOINT: its server does not respond in time.';
    log(`Media files cannot be read or stored now. ${reason}`);
  }
};
