import type { WritableSignal } from '../lib/signal.ts';

export type Scheme = 'light' | 'dark';

/** Text sizes, in percent of the browser's default size. */
export const TEXT_SIZES = [87.5, 100, 112.5, 125, 150] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

/** Appearance settings of the reader for the app, stored on the device. */
export interface Appearance {
  /** Null follows Telegram's theme; in a browser, the system's. */
  readonly theme: WritableSignal<Scheme | null>;
  readonly textSize: WritableSignal<TextSize>;
  /** Content of a list row: the complete post, or its title in one line. */
  readonly listView: WritableSignal<'posts' | 'titles'>;
}

/**
 * Background colours of our own themes, for the container around the page. Must match src/components/styles/tokens.css.
 */
export const OWN_BACKGROUNDS = {
  light: { ground: '#f3f2ef', tabs: '#ffffff' },
  dark: { ground: '#121316', tabs: '#1a1c20' },
} as const;
