import type { Theme, ThemeColors } from './theme.ts';

/** Perceived brightness, from 0 to 255, below which Telegram treats a colour as dark. */
const DARK_BRIGHTNESS = 120;

/**
 * Parses a colour in the notation of Telegram and style sheets (#rgb, #rrggbb, rgb(…)) and returns #rrggbb; null if it
 * is invalid.
 */
export function parseColor(raw: unknown): string | null {
  if (typeof raw !== 'string') return null;
  const text = raw.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text);
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  const parts = /^rgba?\((\d{1,3}),\s*(\d{1,3}),\s*(\d{1,3})/.exec(text);
  if (!parts) return null;
  return `#${parts
    .slice(1, 4)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')}`;
}

/** Parses Telegram's theme parameters; ignores values that are not colours. */
export function parseThemeColors(raw: unknown): ThemeColors {
  if (typeof raw !== 'object' || raw === null) return {};
  const colors: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    const color = parseColor(value);
    if (color !== null && /^[a-z_]+$/.test(name)) colors[name] = color;
  }
  // Telegram for iOS sends the same grey for both. Without this, cards would be invisible on the background.
  if (colors.bg_color === '#1c1c1d' && colors.secondary_bg_color === '#1c1c1d') colors.secondary_bg_color = '#2c2c2e';
  return colors;
}

/**
 * Returns the theme of these colours. Its scheme is dark or light, by the brightness of the background; null without
 * one.
 */
export function themeOf(colors: ThemeColors): Theme {
  const background = colors.bg_color;
  if (background === undefined) return { scheme: null, colors };
  return { scheme: isDark(background) ? 'dark' : 'light', colors };
}

/** Returns true if a #rrggbb colour is dark, by the HSP model that Telegram uses. */
export function isDark(color: string): boolean {
  const components = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  const [red, green, blue] = components as [number, number, number];
  return Math.sqrt(0.299 * red * red + 0.587 * green * green + 0.114 * blue * blue) < DARK_BRIGHTNESS;
}
