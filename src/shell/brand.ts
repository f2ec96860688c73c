import { contrast, mend, mix, TEXT } from '../host/contrast.ts';

/** Whose app this is; the server writes it into the document. `botApp` is the mini-app's https://t.me address. */
export interface Brand {
  readonly name: string;
  readonly color: string | null;
  readonly botApp: string | null;
}

const UNNAMED: Brand = { name: 'Channel Changer', color: null, botApp: null };

/** The grounds of our own themes, on which the brand's colour must be read (src/ui/tokens.css). */
const LIGHT = ['#ffffff', '#f3f2ef'];
const DARK = ['#1a1c20', '#121316'];

/** Reads the brand from `<meta name="changer-brand">`; what is missing or malformed takes the product's own. */
export function readBrand(): Brand {
  const content = document.querySelector<HTMLMetaElement>('meta[name="changer-brand"]')?.content;
  const raw = content === undefined ? null : parse(content);
  if (typeof raw !== 'object' || raw === null) return UNNAMED;
  const name = 'name' in raw ? raw.name : null;
  const color = 'color' in raw ? raw.color : null;
  const botApp = 'botApp' in raw ? raw.botApp : null;
  return {
    name: typeof name === 'string' && name !== '' ? name : UNNAMED.name,
    color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : null,
    botApp: typeof botApp === 'string' && botApp.startsWith('https://t.me/') ? botApp : null,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The third step of start-up: puts the brand's colour on top of our own theme; its accent is mended where it could not be read. */
export function applyBrand({ color }: Brand): void {
  if (color === null) return;
  const { style } = document.documentElement;
  style.setProperty('--changer-brand', color);
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
