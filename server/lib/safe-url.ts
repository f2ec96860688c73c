const ALLOWED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const LONGEST = 2048;

const resolved = (href: string, base: string | null): URL | null => {
  const text = href.trim();
  if (text === '' || !URL.canParse(text, base ?? undefined)) return null;
  return new URL(text, base ?? undefined);
};

/** Resolves a link that a stranger wrote; null for what no reader should be led to (a script, a file, an address with a user or password in it), or is too long. */
export function safeLink(href: string | undefined, base: string | null): string | null {
  const url = href === undefined ? null : resolved(href, base);
  return url !== null && ALLOWED.has(url.protocol) && url.username + url.password === '' && url.href.length <= LONGEST
    ? url.href
    : null;
}

/** Resolves the address of a page or file: http or https alone. */
export function webLink(href: string | undefined, base: string | null): string | null {
  const link = safeLink(href, base);
  return link?.startsWith('http') ? link : null;
}

const SAFE = new Set(['http:', 'https:', 'tg:', 'mailto:', 'tel:']);

/** Gives an address back that a post may link to; null for every other, as one that runs a script. */
export const safeUrl = (href: string | undefined): string | null => {
  if (href === undefined || !URL.canParse(href)) return null;
  return SAFE.has(new URL(href).protocol) ? href.trim() : null;
};
