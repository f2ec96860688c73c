/** Safe URLs: resolve and filter links of untrusted posts and feeds. */

const LINK_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_URL_LENGTH = 2048;

const resolveUrl = (href: string, base: string | null): URL | null => {
  const text = href.trim();
  if (text === '' || !URL.canParse(text, base ?? undefined)) return null;
  return new URL(text, base ?? undefined);
};

/**
 * Resolves an untrusted link. Returns null for a link that a reader should not follow (a script, a file, a URL with a
 * user or password), and for one that is too long.
 */
export function resolveSafeLink(href: string | undefined, base: string | null): string | null {
  const url = href === undefined ? null : resolveUrl(href, base);
  return url !== null &&
    LINK_PROTOCOLS.has(url.protocol) &&
    url.username + url.password === '' &&
    url.href.length <= MAX_URL_LENGTH
    ? url.href
    : null;
}

/** Resolves the URL of a page or file: only http or https. */
export function resolveWebLink(href: string | undefined, base: string | null): string | null {
  const link = resolveSafeLink(href, base);
  return link?.startsWith('http') ? link : null;
}

const POST_LINK_PROTOCOLS = new Set(['http:', 'https:', 'tg:', 'mailto:', 'tel:']);

/** Returns the URL if a post may link to it; null for any other, such as `javascript:`. */
export const safePostUrl = (href: string | undefined): string | null => {
  if (href === undefined || !URL.canParse(href)) return null;
  return POST_LINK_PROTOCOLS.has(new URL(href).protocol) ? href.trim() : null;
};
