/** Safe URLs: resolve and filter links of untrusted posts and feeds. */

const ALLOWED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_URL_LENGTH = 2048;

const resolved = (href: string, base: string | null): URL | null => {
  const text = href.trim();
  if (text === '' || !URL.canParse(text, base ?? undefined)) return null;
  return new URL(text, base ?? undefined);
};

/**
 * Resolves an untrusted link. Returns null for a link that a reader should not follow (a script, a file, a URL with a user or
 * password), and for one that is too long.
 */
export function safeLink(href: string | undefined, base: string | null): string | null {
  const url = href === undefined ? null : resolved(href, base);
  return url !== null && ALLOWED.has(url.protocol) && url.username + url.password === '' && url.href.length <= MAX_URL_LENGTH
    ? url.href
    : null;
}

/** Resolves the URL of a page or file: only http or https. */
export function webLink(href: string | undefined, base: string | null): string | null {
  const link = safeLink(href, base);
  return link?.startsWith('http') ? link : null;
}

const SAFE = new Set(['http:', 'https:', 'tg:', 'mailto:', 'tel:']);

/** Returns a URL if a post may link to it; null for all others, such as `javascript:`. */
export const safeUrl = (href: string | undefined): string | null => {
  if (href === undefined || !URL.canParse(href)) return null;
  return SAFE.has(new URL(href).protocol) ? href.trim() : null;
};
