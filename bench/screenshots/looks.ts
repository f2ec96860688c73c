// Screenshot looks: sizes of the window, themes and languages in which states are taken.

/** Size of the window. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Screenshot of a state that was reached. */
export interface Shot {
  readonly size: Size;
  readonly theme: Theme;
}

/** Set of screenshots that are taken of a state after it was reached once. */
export interface Look {
  readonly host: 'browser' | 'telegram';
  readonly locale: string;
  /** Screenshots of the look. The state is reached at the size of the first one. */
  readonly shots: readonly Shot[];
}

/**
 * `arabic` is light and right-to-left. `contrast` and `forced` emulate settings of the device. `large` is text of twice
 * the size.
 */
export type Theme = 'light' | 'dark' | 'arabic' | 'contrast' | 'forced' | 'large' | 'telegram-light' | 'telegram-dark';

const SMALL = { width: 320, height: 640 };
const PHONE = { width: 390, height: 844 };
const TABLET = { width: 768, height: 1024 };
const DESKTOP = { width: 1280, height: 860 };
const WIDE = { width: 1920, height: 1080 };
const WIDEST = { width: 2560, height: 1300 };
const TELEGRAM_PHONE = { width: 390, height: 720 };
const TELEGRAM_DESKTOP = { width: 1200, height: 860 };

/** Names of the host page's own sizes, by width. */
export const CLIENT_SIZES: ReadonlyMap<number, string> = new Map([
  [TELEGRAM_PHONE.width, 'Phone'],
  [TELEGRAM_DESKTOP.width, 'Desktop'],
]);

const shots = (size: Size, ...themes: readonly Theme[]): Shot[] => themes.map((theme) => ({ size, theme }));

/** The layout changes between 768 and 1280 px, so a state is reached separately below and above. */
export const LOOKS: readonly Look[] = [
  {
    host: 'browser',
    locale: 'en-GB',
    shots: [
      ...shots(PHONE, 'light', 'dark', 'contrast', 'forced', 'large'),
      ...shots(SMALL, 'light', 'large'),
      ...shots(TABLET, 'light', 'dark'),
    ],
  },
  {
    host: 'browser',
    locale: 'en-GB',
    shots: [
      ...shots(DESKTOP, 'light', 'dark', 'contrast', 'forced', 'large'),
      ...shots(WIDE, 'light', 'dark'),
      ...shots(WIDEST, 'light'),
    ],
  },
  { host: 'browser', locale: 'ar', shots: [...shots(PHONE, 'arabic'), ...shots(TABLET, 'arabic')] },
  { host: 'browser', locale: 'ar', shots: [...shots(DESKTOP, 'arabic'), ...shots(WIDE, 'arabic')] },
  { host: 'telegram', locale: 'en-GB', shots: shots(TELEGRAM_PHONE, 'telegram-dark', 'telegram-light') },
  { host: 'telegram', locale: 'en-GB', shots: shots(TELEGRAM_DESKTOP, 'telegram-dark', 'telegram-light') },
];

/** Splits a look into one for each size. */
export function splitBySize(look: Look): Look[] {
  const sizes = new Set(look.shots.map(({ size }) => size));
  return [...sizes].map((size) => ({ ...look, shots: look.shots.filter((shot) => shot.size === size) }));
}

/** Splits a look into one for each picture. */
export const splitByShot = (look: Look): Look[] => look.shots.map((shot) => ({ ...look, shots: [shot] }));

/** Returns the name of a picture, without extension. */
export const pictureName = (state: string, { size, theme }: Shot): string => `${state}-${size.width}-${theme}`;
