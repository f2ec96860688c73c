import { contrast, mend, mix, TEXT } from '../host/contrast.ts';

/** The grounds of our own themes, on which the brand's colour must be read (src/ui/tokens.css). */
const LIGHT = ['#ffffff', '#f3f2ef'];
const DARK = ['#1a1c20', '#121316'];

/** Mends the accent where the brand's colour could not be read, in the theme that the device wants, as often as that changes. */
export function keepReadable(color: string): void {
  const { style } = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const mendAccent = () => {
    for (const [name, value] of Object.entries(accentOf(color, dark.matches)))
      style.setProperty(`--changer-${name}`, value ?? '');
  };
  dark.addEventListener('change', mendAccent);
  mendAccent();
}

/** What must be said against tokens.css for this colour; null where its own mixing is readable. */
export function accentOf(color: string, dark: boolean): { accent: string | null; 'on-accent': string | null } {
  const grounds = dark ? DARK : LIGHT;
  const mixed = dark ? mix(color, '#ffffff', 0.38) : color;
  if (grounds.every((ground) => contrast(mixed, ground) >= TEXT)) return { accent: null, 'on-accent': null };
  const accent = mend(mixed, grounds, TEXT);
  return { accent, 'on-accent': mend(dark ? '#0d1020' : '#ffffff', [accent], TEXT) };
}
