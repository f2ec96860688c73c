/** What fetching may use. Sizes are bytes, times milliseconds. */
export interface Limits {
  /** The largest file that is fetched. */
  readonly fileBytes: number;
  /** What all kept files may take together; 0 for no limit. */
  readonly quota: number;
  /** What the disk must have left. */
  readonly freeBytes: number;
  readonly atOnce: number;
  /** Time from one call to the next. */
  readonly spacing: number;
  /** Failures after which a file is given up. */
  readonly tries: number;
  /** Pause after the first failure; each is four times the one before. */
  readonly backOff: number;
  readonly longestBackOff: number;
  /** How long a file belongs to the process that took it, unless that process says it still works on it. */
  readonly lease: number;
  /** A download that gives no byte for so long is over. */
  readonly stall: number;
  /** How long nothing is fetched after the disk or the quota was full. */
  readonly pause: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Twenty calls a second are well under what Telegram lets through; the eight tries take nineteen hours. */
export const LIMITS: Omit<Limits, 'fileBytes' | 'quota'> = {
  freeBytes: 256 * 1024 * 1024,
  atOnce: 3,
  spacing: 50,
  tries: 8,
  backOff: 15 * SECOND,
  longestBackOff: 6 * HOUR,
  lease: 120 * SECOND,
  stall: 30 * SECOND,
  pause: 60 * SECOND,
};
