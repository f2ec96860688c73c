import { RETENTION_KEY } from '../../lib/storage-keys.ts';

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

/** Key in local storage. */

/** Returns the reader's setting on this device. */
export function readRetentionLevel(): RetentionLevel {
  try {
    const level = localStorage.getItem(RETENTION_KEY);
    return level === 'little' || level === 'much' ? level : 'usual';
  } catch {
    return 'usual'; // Blocked storage: posts are not stored either.
  }
}

/** Stores the setting. */
export function saveRetentionLevel(level: RetentionLevel): void {
  try {
    localStorage.setItem(RETENTION_KEY, level);
  } catch {
    // Storage is blocked; see readRetentionLevel.
  }
}
