import type { Channel } from '../../../../contract/channel.ts';
import { MAX_FEED_URL_LENGTH } from '../../../../contract/limits.ts';

const TELEGRAM_HOSTS: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);

/**
 * Adds the scheme: readers type URLs without it, and feed readers write `feed:`. A port after a host is not a scheme.
 */
const withScheme = (text: string): string => {
  const address = text.trim().replace(/^feed:(?:\/\/)?/i, '');
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address) ? address : `https://${address}`;
};

/** Returns the normalized web URL; null if the text is not one. */
export function parseWebAddress(text: string): string | null {
  const address = withScheme(text);
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const { href, hostname } = new URL(address);
  return hostname.includes('.') && href.length <= MAX_FEED_URL_LENGTH ? href : null;
}

/**
 * Channel address: finds the channel that a text refers to: `@username`, a URL of the site's own pages and feeds
 * (`origin` is the site's), or a Telegram link. Returns null for an unknown channel.
 */
export function findLinkedChannel(text: string, channels: readonly Channel[], origin: string): Channel | null {
  const name = parseChannelName(text, origin);
  if (name === null) return null;
  const hasName = ({ id, username }: Channel): boolean => id === name || username?.toLowerCase() === name.toLowerCase();
  return channels.find(hasName) ?? null;
}

/** Returns the id or username of the channel that a text refers to; null if it has none. */
function parseChannelName(text: string, origin: string): string | null {
  const [, name = null] = /^@(\w{1,64})$/.exec(text.trim()) ?? [];
  if (name !== null) return name;
  const address = withScheme(text);
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'tg:') return url.searchParams.get('domain');
  const [first = '', second = ''] = url.pathname.split('/').filter(Boolean);
  // `t.me/s/<username>` is the web preview, `t.me/c/<id>/<post>` a post of a private channel.
  if (TELEGRAM_HOSTS.has(url.hostname)) return (first === 's' || first === 'c' ? second : first) || null;
  if (url.origin !== origin || second === '') return null;
  if (first === 'channel') return decodePathSegment(second);
  return first === 'feeds' ? (/^(.+)\.(?:rss|atom|json)$/.exec(second)?.[1] ?? null) : null;
}

/** Decodes a segment of a URL's path; null if its percent-encoding is invalid. */
function decodePathSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
