import type { Channel } from '../../contract/channel.ts';

/** Where links lead; the site of the services has this shape. */
export interface Place {
  /** '' in the app, the API's origin on a foreign page. */
  readonly base: string;
  /** On a foreign page every link opens in a tab of its own. */
  readonly embedded: boolean;
  /** Hashtags lead to the search in their own channel, not to that in all. */
  readonly ownTags?: boolean;
}

/** Gives the path of a channel's page, by its username where it has one; `query` is added where given. */
export function channelPath(channel: Pick<Channel, 'id' | 'username'>, query?: Readonly<Record<string, string>>): string {
  const path = `/channel/${encodeURIComponent(channel.username ?? channel.id)}`;
  return query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
}

/** Gives the path of a post in its channel. */
export const postPath = (channel: Pick<Channel, 'id' | 'username'>, id: number): string =>
  channelPath(channel, { post: String(id) });

/** The attributes of a link to a page of ours. */
export const placeLink = (place: Place, path: string) =>
  place.embedded ? { href: place.base + path, target: '_blank', rel: 'noopener' } : { href: place.base + path };

/** The attributes of a link that leaves us. */
export const outLink = (href: string) => ({ href, target: '_blank', rel: 'noopener noreferrer nofollow' });

/**
 * Returns the address of a link in a text, or null where it is none that a reader should follow; a bare host gets https. One with a
 * user or password in it is none: it looks like another host (https://bank.example@evil.example).
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
