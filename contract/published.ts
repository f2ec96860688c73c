import type { Channel } from './channel.ts';

/** Returns whether a channel has feeds that anybody can read: private and demo channels, and those from elsewhere, have none. */
export const isPublished = (channel: Channel): boolean => !channel.private && !channel.demo && channel.elsewhere !== true;

/** Names of feeds that belong to no channel; a channel with one of these usernames goes by its id. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['line-up', 'search']);

/** Returns the name of a channel's feeds. */
export const feedName = ({ id, username }: Pick<Channel, 'id' | 'username'>): string =>
  username === undefined || RESERVED_NAMES.has(username.toLowerCase()) ? id : username;

/** Returns the path of a channel's feed in RSS, which every reader of feeds knows. */
export const rssPath = (channel: Pick<Channel, 'id' | 'username'>): string =>
  `/feeds/${encodeURIComponent(feedName(channel))}.rss`;
