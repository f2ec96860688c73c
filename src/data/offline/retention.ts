import { RETENTION_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';

/** Retention setting: number of stored posts per channel, and total size of stored pictures. */
export interface RetentionLimits {
  /** Posts per channel. */
  readonly posts: number;
  /** Total size of pictures, bytes. */
  readonly pictures: number;
}

export type RetentionLevel = keyof typeof RETENTION_LEVELS;

export const RETENTION_LEVELS = {
  little: { posts: 100, pictures: 20 * 1024 ** 2 },
  usual: { posts: 500, pictures: 100 * 1024 ** 2 },
  much: { posts: 2000, pictures: 500 * 1024 ** 2 },
} as const satisfies Record<string, RetentionLimits>;

/** Returns the reader's setting on this device: `usual` where storage is blocked, and posts are not stored either. */
export function readRetentionLevel(): RetentionLevel {
  const level = createStoredValue('device', RETENTION_KEY).read();
  return level === 'little' || level === 'much' ? level : 'usual';
}

/** Stores the setting. */
export const saveRetentionLevel = (level: RetentionLevel): void => createStoredValue('device', RETENTION_KEY).write(level);
