// Document theme: converts Telegram's theme colours to our CSS custom properties, with sufficient contrast.

import type { Signal } from '../../lib/signal.ts';
import { OWN_BACKGROUNDS, type Scheme } from '../../theme/appearance.ts';
import { ensureContrast, MIN_SHAPE_CONTRAST, MIN_TEXT_CONTRAST, mixColors } from '../../theme/contrast.ts';
import type { Theme, ThemeColors } from '../../theme/theme.ts';
import type { Host, Viewport } from '../platform.ts';

/**
 * Minimum contrast of every background with black or white. It leaves enough contrast for text, links and softer text.
 */
const MIN_GROUND_CONTRAST = 7;
/** Maximum share of a colour in a background that marks a selected item. */
const MAX_TINT_SHARE = 0.12;
/** Minimum contrast of a hairline, which only separates and carries no information. */
const MIN_LINE_CONTRAST = 1.12;
const STAR_COLORS = { light: '#855b00', dark: '#f2c14e' };
const SUCCESS_COLORS = { light: '#1a7140', dark: '#63c78d' };

/**
 * Maps Telegram's colours to our colour roles and corrects the contrast for any theme: backgrounds first, then the
 * colours on them. `moreContrast` is for readers who prefer more contrast. Returns an empty object if Telegram sent no
 * colours; then our own values apply.
 */
export function toColorRoles({ scheme, colors }: Theme, moreContrast = false): ThemeColors {
  const { bg_color: background, text_color: text } = colors;
  if (scheme === null || background === undefined || text === undefined) return {};
  // White or black: the colour that has the highest contrast with the scheme's backgrounds.
  const extreme = scheme === 'dark' ? '#ffffff' : '#000000';
  const adjustBackground = (color: string) => ensureContrast(color, [extreme], MIN_GROUND_CONTRAST);
  const surface = adjustBackground(colors.section_bg_color ?? background);
  const ground = adjustBackground(colors.secondary_bg_color ?? mixColors(surface, extreme, 0.06));
  const backgrounds = {
    ground,
    surface,
    sunken: adjustBackground(mixColors(ground, extreme, 0.05)),
    raised: scheme === 'dark' ? adjustBackground(mixColors(surface, extreme, 0.05)) : surface,
    tabs: adjustBackground(colors.bottom_bar_bg_color ?? surface),
  };
  const allBackgrounds = [...Object.values(backgrounds), mixColors(surface, extreme, MAX_TINT_SHARE)];
  const minTextContrast = moreContrast ? MIN_GROUND_CONTRAST : MIN_TEXT_CONTRAST;
  const minShapeContrast = moreContrast ? MIN_TEXT_CONTRAST : MIN_SHAPE_CONTRAST;
  const readable = (color: string) => ensureContrast(color, allBackgrounds, minTextContrast);
  const textColor = readable(text);
  const softColor = colors.subtitle_text_color ?? colors.hint_color ?? mixColors(text, surface, 0.4);
  const accent = readable(colors.button_color ?? colors.link_color ?? text);
  const star = readable(STAR_COLORS[scheme]);
  const line = colors.section_separator_color ?? mixColors(surface, extreme, 0.12);
  return {
    ...backgrounds,
    text: textColor,
    'text-soft': moreContrast ? textColor : readable(softColor),
    line: ensureContrast(line, [surface, ground], moreContrast ? MIN_SHAPE_CONTRAST : MIN_LINE_CONTRAST),
    'line-strong': ensureContrast(softColor, allBackgrounds, minShapeContrast),
    accent,
    'accent-soft': mixColors(surface, accent, MAX_TINT_SHARE),
    'on-accent': ensureContrast(colors.button_text_color ?? '#ffffff', [accent], MIN_TEXT_CONTRAST),
    unread: readable(colors.destructive_text_color ?? accent),
    star,
    good: readable(SUCCESS_COLORS[scheme]),
    mark: ensureContrast(mixColors(surface, star, 0.32), [textColor], MIN_TEXT_CONTRAST),
  };
}

/** Returns the container's insets as custom properties; empty in a browser, where the browser's own insets apply. */
function toInsetProperties({ height, stableHeight, safeArea, contentSafeArea }: Viewport): Record<string, string> {
  const sides = ['top', 'right', 'bottom', 'left'] as const;
  const insets = sides
    .filter((side) => safeArea[side] + contentSafeArea[side] > 0)
    .map((side) => [
      `safe-${side}`,
      `calc(max(env(safe-area-inset-${side}, 0px), ${safeArea[side]}px) + ${contentSafeArea[side]}px)`,
    ]);
  return {
    ...Object.fromEntries(insets),
    ...(height !== null && { 'viewport-height': `${height}px` }),
    ...(stableHeight !== null && { 'viewport-stable-height': `${stableHeight}px` }),
  };
}

/**
 * Applies the container's theme and insets to the document, with live updates, and our colours to the container's bars.
 * A reader who chose the other scheme gets our own theme.
 */
export function followContainerTheme(host: Host, chosen: Signal<Scheme | null>): void {
  const root = document.documentElement;
  const write = createPropertyWriter(root.style);
  const prefersMoreContrast = matchMedia('(prefers-contrast: more)');
  const apply = () => {
    const theme = host.theme.get();
    const scheme = chosen.get() ?? theme.scheme;
    if (scheme === null) root.removeAttribute('theme');
    else root.setAttribute('theme', scheme);
    const ownColors = scheme === null || scheme === theme.scheme ? null : OWN_BACKGROUNDS[scheme];
    const roles = ownColors === null ? toColorRoles(theme, prefersMoreContrast.matches) : {};
    // Text contrast is computed for opaque backgrounds, so no content may show through the sticky bars.
    write({ ...roles, ...(roles.ground !== undefined && { veil: '0%' }), ...toInsetProperties(host.viewport.get()) });
    host.setColors(containerColorsOf(theme.colors, ownColors ?? roles));
  };
  chosen.subscribe(apply);
  host.theme.subscribe(apply);
  host.viewport.subscribe(apply);
  prefersMoreContrast.addEventListener('change', apply);
  apply();
}

/**
 * Returns the colours for the container's bars: Telegram's name of a colour if we did not change it, because the
 * container updates a named colour before we do.
 */
function containerColorsOf(
  colors: ThemeColors,
  { ground, tabs }: ThemeColors,
): { header: string; background: string; bottomBar: string } {
  const nameOrColor = (name: string, color: string | undefined) => (color === undefined || color === colors[name] ? name : color);
  const surround = nameOrColor('secondary_bg_color', ground);
  return { header: surround, background: surround, bottomBar: nameOrColor('bottom_bar_bg_color', tabs) };
}

/** Creates a function that writes `--changer-*` properties, and removes those that are missing in the next call. */
function createPropertyWriter(style: CSSStyleDeclaration): (values: Readonly<Record<string, string>>) => void {
  let written: readonly string[] = [];
  return (values) => {
    for (const name of written) if (!Object.hasOwn(values, name)) style.removeProperty(`--changer-${name}`);
    for (const [name, value] of Object.entries(values)) style.setProperty(`--changer-${name}`, value);
    written = Object.keys(values);
  };
}
