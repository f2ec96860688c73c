import { parseColor } from './color.ts';
import { mend, mix, TEXT } from './contrast.ts';

/** What of tokens.css the brand's colour is written on, in each of our own themes; the last is the surface, tinted as `accent-soft`. */
const GROUNDS = {
  light: ['#ffffff', '#f3f2ef', '#ebe9e4', mix('#ffffff', '#000000', 0.1)],
  dark: ['#1a1c20', '#121316', '#0d0e10', '#22252a', mix('#1a1c20', '#ffffff', 0.12)],
};

/** The accent that each of our own themes makes of the brand's colour, moved until it can be read. */
export const accentsOf = (brand: string): { readonly light: string; readonly dark: string } => ({
  light: mend(brand, GROUNDS.light, TEXT),
  dark: mend(mix(brand, '#ffffff', 0.38), GROUNDS.dark, TEXT),
});

/** Writes the brand's accents, for a colour as any style sheet spells it; `place` is where that is looked up (a variable). */
export function paintBrand(style: CSSStyleDeclaration, color: string, place: ParentNode | null): void {
  const brand = resolve(color, place?.isConnected ? place : document.documentElement);
  if (brand === null) return;
  for (const [theme, accent] of Object.entries(accentsOf(brand))) style.setProperty(`--changer-brand-${theme}`, accent);
}

/** Gives #rrggbb of a CSS colour. Mixed with itself it is told in numbers, whatever it was spelled in. */
function resolve(color: string, place: ParentNode): string | null {
  const probe = document.createElement('i');
  probe.style.color = `color-mix(in srgb, ${color}, ${color})`;
  place.append(probe);
  const told = getComputedStyle(probe).color;
  probe.remove();
  const parts = /^color\(srgb ([-\d.e]+) ([-\d.e]+) ([-\d.e]+)/.exec(told)?.slice(1);
  return parseColor(parts === undefined ? told : `rgb(${parts.map(toByte).join(', ')})`);
}

const toByte = (share: string): number => Math.round(Math.min(1, Math.max(0, Number(share))) * 255);
