import type { Readable } from '../../lib/signal.ts';
import { OWN_GROUNDS, type Scheme } from '../../theme/appearance.ts';
import { mend, mix, SHAPE, TEXT } from '../../theme/contrast.ts';
import type { Theme, ThemeColors } from '../../theme/theme.ts';
import type { Host, Viewport } from '../platform.ts';

/** Contrast of every ground with black or white, so that there is room on it for text, for links and for softer text. */
const ROOM = 7;
/** The largest share of a colour in a ground that says "this one". */
const TINT = 0.12;
/** The least contrast of a hairline: it divides, and says nothing. */
const SEEN = 1.12;
const STAR = { light: '#855b00', dark: '#f2c14e' };
const GOOD = { light: '#1a7140', dark: '#63c78d' };

/**
 * Telegram's colours as our roles, with contrast mended, whatever the theme: grounds first, then what is written on them. `more`
 * is for readers who asked for more contrast. Empty where Telegram gave none: our own values stand then.
 */
export function rolesOf({ scheme, colors }: Theme, more = false): ThemeColors {
  const { bg_color: background, text_color: text } = colors;
  if (scheme === null || background === undefined || text === undefined) return {};
  const end = scheme === 'dark' ? '#ffffff' : '#000000';
  const clear = (color: string) => mend(color, [end], ROOM);
  const surface = clear(colors.section_bg_color ?? background);
  const ground = clear(colors.secondary_bg_color ?? mix(surface, end, 0.06));
  const grounds = {
    ground,
    surface,
    sunken: clear(mix(ground, end, 0.05)),
    raised: scheme === 'dark' ? clear(mix(surface, end, 0.05)) : surface,
    tabs: clear(colors.bottom_bar_bg_color ?? surface),
  };
  const all = [...Object.values(grounds), mix(surface, end, TINT)];
  const [forText, forShapes] = more ? [ROOM, TEXT] : [TEXT, SHAPE];
  const readable = (color: string) => mend(color, all, forText);
  const given = { text: readable(text), soft: colors.subtitle_text_color ?? colors.hint_color ?? mix(text, surface, 0.4) };
  const accent = readable(colors.button_color ?? colors.link_color ?? text);
  const star = readable(STAR[scheme]);
  const line = colors.section_separator_color ?? mix(surface, end, 0.12);
  return {
    ...grounds,
    text: given.text,
    'text-soft': more ? given.text : readable(given.soft),
    line: mend(line, [surface, ground], more ? SHAPE : SEEN),
    'line-strong': mend(given.soft, all, forShapes),
    accent,
    'accent-soft': mix(surface, accent, TINT),
    'on-accent': mend(colors.button_text_color ?? '#ffffff', [accent], TEXT),
    unread: readable(colors.destructive_text_color ?? accent),
    star,
    good: readable(GOOD[scheme]),
    mark: mend(mix(surface, star, 0.32), [given.text], TEXT),
  };
}

/** What the container covers, as custom properties; empty in a browser, where the environment's own insets stand. */
export function insetsOf({ height, stableHeight, safeArea, contentSafeArea }: Viewport): Record<string, string> {
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
 * Keeps the document in the container's theme and within its insets, live, and what the container draws around it in ours. A
 * reader who chose the other scheme than the container has gets our own theme.
 */
export function followContainer(host: Host, chosen: Readable<Scheme | null>): void {
  const root = document.documentElement;
  const write = createWriter(root.style);
  const more = matchMedia('(prefers-contrast: more)');
  const apply = () => {
    const theme = host.theme.get();
    const scheme = chosen.get() ?? theme.scheme;
    if (scheme === null) root.removeAttribute('theme');
    else root.setAttribute('theme', scheme);
    const own = scheme === null || scheme === theme.scheme ? null : OWN_GROUNDS[scheme];
    const roles = own === null ? rolesOf(theme, more.matches) : {};
    // Text is mended for the ground itself: nothing may shine through it.
    write({ ...roles, ...(roles.ground !== undefined && { veil: '0%' }), ...insetsOf(host.viewport.get()) });
    host.setColors(barsOf(theme.colors, own ?? roles));
  };
  chosen.subscribe(apply);
  host.theme.subscribe(apply);
  host.viewport.subscribe(apply);
  more.addEventListener('change', apply);
  apply();
}

/** By Telegram's names where the colours are still Telegram's: a name follows a theme before we do. */
function barsOf(colors: ThemeColors, { ground, tabs }: ThemeColors): { header: string; background: string; bottomBar: string } {
  const named = (name: string, color: string | undefined) => (color === undefined || color === colors[name] ? name : color);
  const around = named('secondary_bg_color', ground);
  return { header: around, background: around, bottomBar: named('bottom_bar_bg_color', tabs) };
}

/** Writes `--changer-*` properties, and takes away those that are not given any more. */
function createWriter(style: CSSStyleDeclaration): (values: Readonly<Record<string, string>>) => void {
  let written: readonly string[] = [];
  return (values) => {
    for (const name of written) if (!Object.hasOwn(values, name)) style.removeProperty(`--changer-${name}`);
    for (const [name, value] of Object.entries(values)) style.setProperty(`--changer-${name}`, value);
    written = Object.keys(values);
  };
}
