// Keys of the offline store, all in one place. The keys of web storage are in `src/lib/storage-keys.ts`. Stored data depends on them: a changed key loses data.

/** Keys of posts and pictures begin with this prefix and the id of their channel. */
export const POST_PREFIX = 'post/';
export const PICTURE_PREFIX = 'picture/';
/** First pages of feeds, and of channels' posts. */
export const FEED_PREFIX = 'feed/';
export const CHANNEL_POSTS_PREFIX = 'posts/';
export const PAGE_PREFIXES: readonly string[] = [FEED_PREFIX, CHANNEL_POSTS_PREFIX];
/** The directory. */
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
/** Changes that the server must receive. */
export const OUTBOX_PREFIX = 'out/';

export const UNREAD_KEY = 'unread';
export const RECENT_SEARCHES_KEY = 'searches';
/** Id of the last event that changed the stored data. */
export const STREAM_POSITION_KEY = 'live';
/** Prefetch progress of channels. */
export const PREFETCH_PREFIX = 'ahead/';
/** Progress of channels that the reader saved for offline use. */
export const SAVED_PREFIX = 'saved/';

/** Returns the key prefix of a channel's posts. */
export const postPrefix = (channelId: string): string => `${POST_PREFIX}${channelId}/`;

/** Returns the key of a stored post. Message ids are padded to 16 digits, so that they sort as text. */
export const postStorageKey = (channelId: string, id: number): string => postPrefix(channelId) + String(id).padStart(16, '0');

/** Returns the key prefix of a channel's stored pictures, or of one post's with an `id`. */
export const pictureKeyPrefix = (channelId: string, id?: number): string =>
  (id === undefined ? postPrefix(channelId) : `${postStorageKey(channelId, id)}/`).replace(POST_PREFIX, PICTURE_PREFIX);

/** Returns the key of the post that a stored picture belongs to. */
export const postKeyOfPicture = (key: string): string =>
  key.split('/').slice(0, 3).join('/').replace(PICTURE_PREFIX, POST_PREFIX);

export const channelKey = (idOrUsername: string): string => CHANNEL_PREFIX + idOrUsername;

/** Returns the key of the first page of a feed. */
export const feedPageKey = (show: string, channelIds: readonly string[] | undefined): string =>
  `${FEED_PREFIX}${show}/${channelIds?.join(',') ?? ''}`;

/** Returns the key of the first page of a channel's posts, or of its posts with media. */
export const channelPageKey = (idOrUsername: string, media: boolean): string =>
  `${CHANNEL_POSTS_PREFIX}${idOrUsername}${media ? '/media' : ''}`;
