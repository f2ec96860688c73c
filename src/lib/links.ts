import type { Channel } from '../../contract/channel.ts';

/** Link context: base URL and behaviour of links. `Environment` in the services has this shape. */
export interface LinkContext {
  /** '' in the app, the API's origin on a third-party page. */
  readonly baseUrl: string;
  /** True on a third-party page, where every link opens in a new tab. */
  readonly embedded: boolean;
  /** True if hashtags link to the search in their own channel, not in all channels. */
  readonly scopedHashtags?: boolean;
}

/** Returns the path of a channel's page, with its username if it has one, and an optional query. */
export function channelPath(channel: Pick<Channel, 'id' | 'username'>, query?: Readonly<Record<string, string>>): string {
  const path = `/channel/${encodeURIComponent(channel.username ?? channel.id)}`;
  return query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
}

/** Returns the path of a post in its channel. */
export const postPath = (channel: Pick<Channel, 'id' | 'username'>, id: number): string =>
  channelPath(channel, { post: String(id) });

/** Returns the attributes of a link to one of our pages. */
export const internalLink = ({ embedded, baseUrl }: LinkContext, path: string) =>
  embedded ? { href: baseUrl + path, target: '_blank', rel: 'noopener' } : { href: baseUrl + path };

/** Returns the attributes of an external link. */
export const externalLink = (href: string) => ({ href, target: '_blank', rel: 'noopener noreferrer nofollow' });

/**
 * Validates the URL of a link in a text; returns null if a reader should not follow it. A bare host gets https. A URL
 * with a user or password is rejected, because it looks like another host (https://bank.example@evil.example).
 */
export function safeHref(raw: string): string | null {
  const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(raw) ? raw : `https://${raw}`;
  try {
    const { href } = new URL(address);
    return /^(https?:\/\/[^@/]+\/|(tg|mailto|tel):)/.test(href) ? href : null;
  } catch {
    return null;
  }
}

/** Path of the home page. */
export const HOME_PATH = '/main';

/** Returns the address of a page in the app, with its query. The root address shows the home page. */
export const appAddress = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string =>
  (pathname === '/' ? HOME_PATH : pathname) + search;
