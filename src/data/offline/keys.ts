// Keys of the offline store. Stored data depends on them: a changed key loses data. test/server/storage-keys.test.ts
// lists all keys. This file is part of the first load. If a key is only used by a module that loads later, that module
// defines it.

/** Keys of posts begin with this prefix and the id of their channel. */
export const POST_PREFIX = 'post/';
/** Keys of stored pictures begin with this prefix and the id of their channel. */
export const PICTURE_PREFIX = 'picture/';
/** First pages of feeds. */
export const FEED_PREFIX = 'feed/';
/** First pages of channels' posts. */
export const CHANNEL_POSTS_PREFIX = 'posts/';
/** All channels that the reader may see. */
export const DIRECTORY_KEY = 'channels';
/** Channels whose page was visited. */
export const CHANNEL_PREFIX = 'channel/';

/** The user state. */
export const LINEUP_KEY = 'lineup';
export const MARK_PREFIX = 'mark/';
export const STAR_PREFIX = 'star/';
export const KEPT_UNREAD_PREFIX = 'kept-unread/';
/** Newest post of each channel when this device first saw it. */
export const FIRST_SEEN_KEY = 'first-seen';

/** Unread counts of channels. */
export const UNREAD_KEY = 'unread';

/** Returns the key prefix of a channel's posts. */
export const postPrefix = (channelId: string): string => `${POST_PREFIX}${channelId}/`;

/** Returns the key of a stored post. Message ids are padded to 16 digits, so that they sort as text. */
export const postStorageKey = (channelId: string, id: number): string => postPrefix(channelId) + String(id).padStart(16, '0');

export const channelKey = (idOrUsername: string): string => CHANNEL_PREFIX + idOrUsername;

/** Returns the key of the first page of a feed. */
export const feedPageKey = (show: string, channelIds: readonly string[] | undefined): string =>
  `${FEED_PREFIX}${show}/${channelIds?.join(',') ?? ''}`;

/** Returns the key of the first page of a channel's posts, or of its posts with media. */
export const channelPageKey = (idOrUsername: string, media: boolean): string =>
  `${CHANNEL_POSTS_PREFIX}${idOrUsername}${media ? '/media' : ''}`;
