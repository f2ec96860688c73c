/** Whose app this is; the server writes it into the document. `botApp` is the mini-app's https://t.me address. */
export interface Brand {
  readonly name: string;
  readonly color: string | null;
  readonly botApp: string | null;
}

const UNNAMED: Brand = { name: 'Channel Changer', color: null, botApp: null };

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

/**
 * The third step of start-up: puts the brand's colour on top of our own theme. What makes a colour readable on it comes later
 * and only where there is one: few colours need it.
 */
export function applyBrand({ color }: Brand): void {
  if (color === null) return;
  const root = document.documentElement;
  root.style.setProperty('--changer-brand', color);
  import('../theme/brand-accent.ts').then(
    ({ paintBrand }) => paintBrand(root.style, color, root),
    (error: unknown) => console.error(error),
  );
}
