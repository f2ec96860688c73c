import type { Cell } from '../lib/signal.ts';

export type Scheme = 'light' | 'dark';

/** Sizes of the text, in percent of the browser's own. */
export const TEXT_SIZES = [87.5, 100, 112.5, 125, 150] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

/** The look that the reader chose for the app; kept on the device. */
export interface Appearance {
  /** Null follows Telegram's theme, in a browser the system's. */
  readonly theme: Cell<Scheme | null>;
  readonly textSize: Cell<TextSize>;
  /** Content of a list row: the whole post, or its title in one line. */
  readonly list: Cell<'posts' | 'titles'>;
}

/** The grounds of our own themes, for what is around the page: the same as in src/components/styles/tokens.css. */
export const OWN_GROUNDS = {
  light: { ground: '#f3f2ef', tabs: '#ffffff' },
  dark: { ground: '#121316', tabs: '#1a1c20' },
} as const;
