/** How much of each channel a device keeps, and of pictures in all. */
export interface Amount {
  /** Posts of each channel. */
  readonly posts: number;
  /** For pictures, bytes. */
  readonly pictures: number;
}

export type AmountName = keyof typeof AMOUNTS;

export const AMOUNTS = {
  little: { posts: 100, pictures: 20 * 1024 ** 2 },
  usual: { posts: 500, pictures: 100 * 1024 ** 2 },
  much: { posts: 2000, pictures: 500 * 1024 ** 2 },
} as const satisfies Record<string, Amount>;

const KEY = 'changer_amount';

/** Reads the reader's choice on this device. */
export function readAmount(): AmountName {
  try {
    const chosen = localStorage.getItem(KEY);
    return chosen === 'little' || chosen === 'much' ? chosen : 'usual';
  } catch {
    return 'usual'; // Where storage is refused nothing is kept either.
  }
}

/** Keeps the choice. */
export function chooseAmount(name: AmountName): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // See readAmount.
  }
}
