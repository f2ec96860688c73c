/**
 * Brand: name and colour of this installation. The server writes it into the document. `color` is null for the default
 * colour. `botApp` is the mini-app's https://t.me URL.
 */
export interface AppBrand {
  readonly name: string;
  readonly color: string | null;
  readonly botApp: string | null;
}

const DEFAULT_BRAND: AppBrand = { name: 'Channel Changer', color: null, botApp: null };

/** Reads the brand from `<meta name="changer-brand">`. Missing or malformed fields have the product's defaults. */
export function readBrand(): AppBrand {
  const content = document.querySelector<HTMLMetaElement>('meta[name="changer-brand"]')?.content;
  const raw = content === undefined ? null : parseJson(content);
  if (typeof raw !== 'object' || raw === null) return DEFAULT_BRAND;
  const name = 'name' in raw ? raw.name : null;
  const color = 'color' in raw ? raw.color : null;
  const botApp = 'botApp' in raw ? raw.botApp : null;
  return {
    name: typeof name === 'string' && name !== '' ? name : DEFAULT_BRAND.name,
    color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : null,
    botApp: typeof botApp === 'string' && botApp.startsWith('https://t.me/') ? botApp : null,
  };
}

/** Parses JSON; returns null if it is malformed. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/**
 * Third step of the start-up (src/main.ts): sets the brand colour on top of the default theme. The code that adjusts
 * the colour for contrast loads later, and only if there is a brand colour, because few colours need an adjustment.
 */
export function applyBrand({ color }: AppBrand): void {
  if (color === null) return;
  const root = document.documentElement;
  root.style.setProperty('--changer-brand', color);
  import('../theme/brand-accent.ts').then(
    ({ applyBrandColor }) => applyBrandColor(root.style, color, root),
    (error: unknown) => console.error(error),
  );
}
