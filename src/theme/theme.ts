import type { Scheme } from './appearance.ts';

/** Telegram's theme colours by Telegram's own names (bg_color, …), in #rrggbb; empty outside Telegram. */
export type ThemeColors = Readonly<Record<string, string>>;

/** Theme of the container. The scheme is null outside Telegram. */
export interface Theme {
  readonly scheme: Scheme | null;
  readonly colors: ThemeColors;
}
