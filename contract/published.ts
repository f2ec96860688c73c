// Published feeds: the channels that the server publishes as RSS, Atom and JSON feeds, and the URLs of these feeds.
import type { Channel } from './channel.ts';

/**
 * Returns true if the server publishes a channel as RSS, Atom and JSON feeds. It does not publish private channels,
 * demo channels and feeds that readers added (`elsewhere`).
 */
export const isPublished = (channel: Channel): boolean => !channel.private && !channel.demo && channel.elsewhere !== true;

/**
 * Feed names that the server uses for feeds other than those of channels. A channel with one of these usernames uses
 * its id as its feed name.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['line-up', 'search']);

/** Returns the name of a channel's feeds in their URLs. */
export const feedName = ({ id, username }: Pick<Channel, 'id' | 'username'>): string =>
  username === undefined || RESERVED_NAMES.has(username.toLowerCase()) ? id : username;

/** Returns the path of a channel's RSS feed, the format that every feed reader supports. */
export const rssPath = (channel: Pick<Channel, 'id' | 'username'>): string =>
  `/feeds/${encodeURIComponent(feedName(channel))}.rss`;
