const TELEGRAM: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);

/** What an address says of a channel of ours: which one (an id or username), or null where it could only be none. */
export interface OwnAddress {
  readonly channel: string | null;
}

/** A link to a public channel, its preview or a post of it, or by a private channel's number. */
const telegramName = ([first = '', second = '']: readonly string[]): string | null =>
  (first === 's' || first === 'c' ? second : first) || null;

/** A channel's page or feed. */
function pageOrFeed([first, second]: readonly string[]): string | null {
  if (first === 'channel') return second ?? null;
  return first === 'feeds' ? (/^(.+)\.(?:rss|atom|json)$/.exec(second ?? '')?.[1] ?? null) : null;
}

/**
 * Reads an address that is no feed's, for it leads to a channel by Telegram's links, or into this site (`hosts` are its own);
 * null for every other one, and for what is no address.
 */
export function readOwnAddress(text: string, hosts: ReadonlySet<string>): OwnAddress | null {
  const given = text.trim();
  const [, name = null] = /^@(\w{1,64})$/.exec(given) ?? [];
  if (name !== null) return { channel: name };
  const spelledOut = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(given) ? given : `https://${given}`;
  if (!URL.canParse(spelledOut)) return null;
  const { protocol, host, hostname, pathname, searchParams } = new URL(spelledOut);
  if (protocol === 'tg:') return { channel: searchParams.get('domain') };
  const path = pathname.split('/').filter(Boolean);
  if (TELEGRAM.has(hostname)) return { channel: telegramName(path) };
  if (!hosts.has(host)) return null;
  return { channel: pageOrFeed(path) };
}
