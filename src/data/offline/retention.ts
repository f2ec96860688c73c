/** Retention setting: number of stored posts per channel, and total size of stored pictures. */
export interface Amount {
  /** Posts per channel. */
  readonly posts: number;
  /** Total size of pictures, bytes. */
  readonly pictures: number;
}

export type AmountName = keyof typeof AMOUNTS;

export const AMOUNTS = {
  little: { posts: 100, pictures: 20 * 1024 ** 2 },
  usual: { posts: 500, pictures: 100 * 1024 ** 2 },
  much: { posts: 2000, pictures: 500 * 1024 ** 2 },
} as const satisfies Record<string, Amount>;

const KEY = 'changer_amount';

/** Returns the reader's setting on this device. */
export function readAmount(): AmountName {
  try {
    const chosen = localStorage.getItem(KEY);
    return chosen === 'little' || chosen === 'much' ? chosen : 'usual';
  } catch {
    return 'usual'; // Blocked storage: posts are not stored either.
  }
}

/** Stores the setting. */
export function chooseAmount(name: AmountName): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Storage is blocked; see readAmount.
  }
}
