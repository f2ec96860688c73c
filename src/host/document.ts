import { mend, mix, SHAPE, TEXT } from './contrast.ts';
import type { Host, Theme, ThemeColors, Viewport } from './host.ts';

/**
 * Telegram's colours as our roles, with contrast mended, whatever the theme. Empty where Telegram gave none: our own values
 * stand then.
 */
export function rolesOf({ scheme, colors }: Theme): ThemeColors {
  const { bg_color: background, text_color: text } = colors;
  if (scheme === null || background === undefined || text === undefined) return {};
  const surface = colors.section_bg_color ?? background;
  const ground = colors.secondary_bg_color ?? mix(surface, text, 0.06);
  const sunken = mix(ground, text, 0.05);
  const grounds = [ground, surface, sunken];
  const soft = colors.subtitle_text_color ?? colors.hint_color ?? mix(text, surface, 0.4);
  const accent = mend(colors.button_color ?? colors.link_color ?? text, grounds, TEXT);
  return {
    ground,
    surface,
    sunken,
    raised: scheme === 'dark' ? mix(surface, '#ffffff', 0.05) : surface,
    text: mend(text, grounds, TEXT),
    'text-soft': mend(soft, grounds, TEXT),
    line: colors.section_separator_color ?? mix(surface, text, 0.12),
    'line-strong': mend(soft, grounds, SHAPE),
    accent,
    'accent-soft': mix(surface, accent, 0.12),
    'on-accent': mend(colors.button_text_color ?? '#ffffff', [accent], TEXT),
    unread: mend(colors.destructive_text_color ?? accent, grounds, TEXT),
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

/** Keeps the document in the container's theme and within its insets, live. */
export function followContainer(host: Host): void {
  const root = document.documentElement;
  const write = createWriter(root.style);
  const apply = () => {
    const { scheme } = host.theme.get();
    if (scheme === null) root.removeAttribute('theme');
    else root.setAttribute('theme', scheme);
    write({ ...rolesOf(host.theme.get()), ...insetsOf(host.viewport.get()) });
  };
  host.theme.subscribe(apply);
  host.viewport.subscribe(apply);
  apply();
  host.setColors({ header: 'secondary_bg_color', background: 'secondary_bg_color' });
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
