// Document theme: converts Telegram's theme colours to our CSS custom properties, with sufficient contrast.

import type { Signal } from '../../lib/signal.ts';
import { OWN_GROUNDS, type Scheme } from '../../theme/appearance.ts';
import { ensureContrast, MIN_SHAPE_CONTRAST, MIN_TEXT_CONTRAST, mixColors } from '../../theme/contrast.ts';
import type { Theme, ThemeColors } from '../../theme/theme.ts';
import type { Host, Viewport } from '../platform.ts';

/** Minimum contrast of every background with black or white. It leaves enough contrast for text, links and softer text. */
const MIN_GROUND_CONTRAST = 7;
/** Maximum share of a colour in a background that marks a selected item. */
const MAX_TINT_SHARE = 0.12;
/** Minimum contrast of a hairline, which only separates and carries no information. */
const MIN_LINE_CONTRAST = 1.12;
const STAR_COLORS = { light: '#855b00', dark: '#f2c14e' };
const SUCCESS_COLORS = { light: '#1a7140', dark: '#63c78d' };

/**
 * Maps Telegram's colours to our colour roles and corrects the contrast for any theme: backgrounds first, then the colours on
 * them. `more` is for readers who prefer more contrast. Returns an empty object where Telegram sent no colours; then our own
 * values apply.
 */
export function toColorRoles({ scheme, colors }: Theme, more = false): ThemeColors {
  const { bg_color: background, text_color: text } = colors;
  if (scheme === null || background === undefined || text === undefined) return {};
  const end = scheme === 'dark' ? '#ffffff' : '#000000';
  const clear = (color: string) => ensureContrast(color, [end], MIN_GROUND_CONTRAST);
  const surface = clear(colors.section_bg_color ?? background);
  const ground = clear(colors.secondary_bg_color ?? mixColors(surface, end, 0.06));
  const grounds = {
    ground,
    surface,
    sunken: clear(mixColors(ground, end, 0.05)),
    raised: scheme === 'dark' ? clear(mixColors(surface, end, 0.05)) : surface,
    tabs: clear(colors.bottom_bar_bg_color ?? surface),
  };
  const all = [...Object.values(grounds), mixColors(surface, end, MAX_TINT_SHARE)];
  const [forText, forShapes] = more ? [MIN_GROUND_CONTRAST, MIN_TEXT_CONTRAST] : [MIN_TEXT_CONTRAST, MIN_SHAPE_CONTRAST];
  const readable = (color: string) => ensureContrast(color, all, forText);
  const wanted = { text: readable(text), soft: colors.subtitle_text_color ?? colors.hint_color ?? mixColors(text, surface, 0.4) };
  const accent = readable(colors.button_color ?? colors.link_color ?? text);
  const star = readable(STAR_COLORS[scheme]);
  const line = colors.section_separator_color ?? mixColors(surface, end, 0.12);
  return {
    ...grounds,
    text: wanted.text,
    'text-soft': more ? wanted.text : readable(wanted.soft),
    line: ensureContrast(line, [surface, ground], more ? MIN_SHAPE_CONTRAST : MIN_LINE_CONTRAST),
    'line-strong': ensureContrast(wanted.soft, all, forShapes),
    accent,
    'accent-soft': mixColors(surface, accent, MAX_TINT_SHARE),
    'on-accent': ensureContrast(colors.button_text_color ?? '#ffffff', [accent], MIN_TEXT_CONTRAST),
    unread: readable(colors.destructive_text_color ?? accent),
    star,
    good: readable(SUCCESS_COLORS[scheme]),
    mark: ensureContrast(mixColors(surface, star, 0.32), [wanted.text], MIN_TEXT_CONTRAST),
  };
}

/** Returns the container's insets as custom properties; empty in a browser, where the insets of the environment apply. */
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
 * Applies the container's theme and insets to the document, with live updates, and our colours to the container's bars. A
 * reader who chose the other scheme gets our own theme.
 */
export function followContainerTheme(host: Host, chosen: Signal<Scheme | null>): void {
  const root = document.documentElement;
  const write = createPropertyWriter(root.style);
  const more = matchMedia('(prefers-contrast: more)');
  const apply = () => {
    const theme = host.theme.get();
    const scheme = chosen.get() ?? theme.scheme;
    if (scheme === null) root.removeAttribute('theme');
    else root.setAttribute('theme', scheme);
    const ownColors = scheme === null || scheme === theme.scheme ? null : OWN_GROUNDS[scheme];
    const roles = ownColors === null ? toColorRoles(theme, more.matches) : {};
    // Text contrast is computed for the background itself, so nothing may shine through it.
    write({ ...roles, ...(roles.ground !== undefined && { veil: '0%' }), ...toInsetProperties(host.viewport.get()) });
    host.setColors(containerColorsOf(theme.colors, ownColors ?? roles));
  };
  chosen.subscribe(apply);
  host.theme.subscribe(apply);
  host.viewport.subscribe(apply);
  more.addEventListener('change', apply);
  apply();
}

/** Uses Telegram's colour names where the colours are still Telegram's: the container updates a named colour before we do. */
function containerColorsOf(
  colors: ThemeColors,
  { ground, tabs }: ThemeColors,
): { header: string; background: string; bottomBar: string } {
  const named = (name: string, color: string | undefined) => (color === undefined || color === colors[name] ? name : color);
  const around = named('secondary_bg_color', ground);
  return { header: around, background: around, bottomBar: named('bottom_bar_bg_color', tabs) };
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
