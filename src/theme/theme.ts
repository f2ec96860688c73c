import type { Scheme } from './appearance.ts';

/** Telegram's theme colours by Telegram's own names (bg_color, …), in #rrggbb; empty outside Telegram. */
export type ThemeColors = Readonly<Record<string, string>>;

export interface Theme {
  readonly scheme: Scheme | null;
  readonly colors: ThemeColors;
}
