/** A size of the window. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Which pictures are taken of a state that was reached once. */
export interface Look {
  readonly holder: 'browser' | 'telegram';
  readonly locale: string;
  readonly sizes: readonly Size[];
  readonly themes: readonly Theme[];
}

/** `arabic` is light, from right to left; the others are in English. */
export type Theme = 'light' | 'dark' | 'arabic' | 'telegram-light' | 'telegram-dark';

const NARROW: readonly Size[] = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
];
const WIDE: readonly Size[] = [
  { width: 1280, height: 860 },
  { width: 1920, height: 1080 },
];
/** What the host page's own sizes are called, by their width. */
export const CLIENT_SIZES: ReadonlyMap<number, string> = new Map([
  [390, 'Phone'],
  [1200, 'Desktop'],
]);

const browser = (locale: string, themes: readonly Theme[]): Look[] =>
  [NARROW, WIDE].map((sizes) => ({ holder: 'browser', locale, sizes, themes }));

/** Between 768 and 1280 px the layout is another one, and so a state is reached anew. */
export const LOOKS: readonly Look[] = [
  ...browser('en-GB', ['light', 'dark']),
  ...browser('ar', ['arabic']),
  { holder: 'telegram', locale: 'en-GB', sizes: [{ width: 390, height: 720 }], themes: ['telegram-dark', 'telegram-light'] },
  { holder: 'telegram', locale: 'en-GB', sizes: [{ width: 1200, height: 860 }], themes: ['telegram-dark'] },
];

/** One look for each size. */
export const apart = (look: Look): Look[] => look.sizes.map((size) => ({ ...look, sizes: [size] }));

export const pictureName = (state: string, { width }: Size, theme: Theme): string => `${state}-${width}-${theme}`;
