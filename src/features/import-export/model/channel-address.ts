import type { Channel } from '../../../../contract/channel.ts';

const TELEGRAM_HOSTS: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);
/** Maximum length of a URL; the server rejects longer ones. */
const MAX_ADDRESS_LENGTH = 2000;

/** Adds the scheme: people type URLs without it, and feed readers write `feed:`. */
const withScheme = (text: string): string => {
  const plain = text.trim().replace(/^feed:(?:\/\/)?/i, '');
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(plain) ? plain : `https://${plain}`;
};

/** Returns the normalized web URL; null if the text is not one. */
export function parseWebAddress(text: string): string | null {
  const address = withScheme(text);
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const { href, hostname } = new URL(address);
  return hostname.includes('.') && href.length <= MAX_ADDRESS_LENGTH ? href : null;
}

/**
 * Channel address: finds the channel that a URL means, by the site's own pages and feeds (`origin` is the site's), or by
 * Telegram links.
 */
export function findLinkedChannel(text: string, channels: readonly Channel[], origin: string): Channel | null {
  const name = channelNameIn(text, origin);
  if (name === null) return null;
  const isMeant = ({ id, username }: Channel): boolean => id === name || username?.toLowerCase() === name.toLowerCase();
  return channels.find(isMeant) ?? null;
}

function channelNameIn(text: string, origin: string): string | null {
  const [, name = null] = /^@(\w{1,64})$/.exec(text.trim()) ?? [];
  if (name !== null) return name;
  const address = withScheme(text);
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'tg:') return url.searchParams.get('domain');
  const [first = '', second = ''] = url.pathname.split('/').filter(Boolean);
  if (TELEGRAM_HOSTS.has(url.hostname)) return (first === 's' || first === 'c' ? second : first) || null;
  if (url.origin !== origin || second === '') return null;
  if (first === 'channel') return decodePathPart(second);
  return first === 'feeds' ? (/^(.+)\.(?:rss|atom|json)$/.exec(second)?.[1] ?? null) : null;
}

function decodePathPart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
