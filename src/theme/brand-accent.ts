import { parseColor } from './color.ts';
import { ensureContrast, MIN_TEXT_CONTRAST, mixColors } from './contrast.ts';

/**
 * Backgrounds of tokens.css behind the brand's colour, in each of our own themes. The last one is the surface, tinted
 * as in `accent-soft`.
 */
const BACKGROUNDS = {
  light: ['#ffffff', '#f3f2ef', '#ebe9e4', mixColors('#ffffff', '#000000', 0.1)],
  dark: ['#1a1c20', '#121316', '#0d0e10', '#22252a', mixColors('#1a1c20', '#ffffff', 0.12)],
};

/** Share of white in the brand's colour of the dark theme, as in `--accent` of tokens.css. */
const DARK_WHITE_SHARE = 0.38;

/**
 * Brand accents: returns the accent colours of our two themes, derived from the brand's colour and adjusted until they
 * are readable.
 */
export const brandAccents = (brand: string): { readonly light: string; readonly dark: string } => ({
  light: ensureContrast(brand, BACKGROUNDS.light, MIN_TEXT_CONTRAST),
  dark: ensureContrast(mixColors(brand, '#ffffff', DARK_WHITE_SHARE), BACKGROUNDS.dark, MIN_TEXT_CONTRAST),
});

/**
 * Sets the brand's accent colours, from any CSS colour. `scope` is the element in which the colour is resolved,
 * because it may use a variable.
 */
export function applyBrandColor(style: CSSStyleDeclaration, color: string, scope: ParentNode | null): void {
  const brand = resolveCssColor(color, scope?.isConnected ? scope : document.documentElement);
  if (brand === null) return;
  for (const [theme, accent] of Object.entries(brandAccents(brand))) style.setProperty(`--changer-brand-${theme}`, accent);
}

/** Converts a CSS colour to #rrggbb. A colour mixed with itself has a numeric computed value in any notation. */
function resolveCssColor(color: string, scope: ParentNode): string | null {
  const probe = document.createElement('i');
  probe.style.color = `color-mix(in srgb, ${color}, ${color})`;
  scope.append(probe);
  const computed = getComputedStyle(probe).color;
  probe.remove();
  const parts = /^color\(srgb ([-\d.e]+) ([-\d.e]+) ([-\d.e]+)/.exec(computed)?.slice(1);
  return parseColor(parts === undefined ? computed : `rgb(${parts.map(toByte).join(', ')})`);
}

const toByte = (share: string): number => Math.round(Math.min(1, Math.max(0, Number(share))) * 255);
