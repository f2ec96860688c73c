// Cursor pagination: sources of lists that fetch the server's pages and store the first page.
import type { PagedPosts } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { ChannelsApi, RequestOptions } from '../../api/channels-api.ts';
import type { Signal } from '../../lib/signal.ts';
import { CHANNEL_POSTS_PREFIX } from '../offline/keys.ts';
import type { OfflineStore } from '../offline/offline-store.ts';
import type { PostSource } from './post-list/types.ts';

/** Position in a list: the page before (older than) or after (newer than) a cursor of the server. */
export type ListCursor = { readonly before?: string | undefined; readonly after?: string | undefined };

/** Fetches the page at a cursor; an empty cursor is the first page. */
export type ReadPage = (cursor: ListCursor, options: RequestOptions) => Promise<PagedPosts>;

/** Dependencies that the sources share. */
export interface PostSourceContext {
  readonly api: ChannelsApi;
  readonly offline: OfflineStore;
  /**
   * Returns the channels of the feed; undefined if the server knows them. First waits for the state that this depends on.
   */
  feedChannelIds(): Promise<readonly string[] | undefined>;
  /** Returns the channels of the feed from the stored line-up, even if the server knows them. */
  cachedChannelIds(): Promise<readonly string[]>;
  readMarkers(): Promise<ReadonlyMap<string, number>>;
  readonly keptUnread: Signal<ReadonlySet<string>>;
  stars(): Promise<ReadonlyMap<string, number>>;
  /** Returns true if the reader is signed in, so that the server knows their stars. */
  isSignedIn(): boolean;
  /** Returns the id of a channel, given its id or username. */
  idOf(idOrUsername: string): string;
  /** Returns a channel from memory or the device. */
  channel(id: string): Promise<Channel | null>;
  /** Records the channels and posts of a fetched page. */
  storePage(page: PagedPosts): void;
}

export const EMPTY_PAGE: PagedPosts = { items: [], next: null, previous: null, channels: [] };

/**
 * Creates a source from a function that fetches pages. It records each page, and stores the first page under `cacheKey`.
 */
export function createPageSource(
  { offline, storePage }: PostSourceContext,
  cacheKey: string | null,
  read: ReadPage,
): Pick<PostSource, 'first' | 'page' | 'readOffline'> {
  async function readAndStore(cursor: ListCursor, options: RequestOptions): Promise<PagedPosts> {
    const page = await read(cursor, options);
    storePage(page);
    return page;
  }
  return {
    async first(options) {
      const page = await readAndStore({}, options);
      // A feed depends on the reader's line-up, so that it is stored in the reader's own store.
      const channels = cacheKey?.startsWith(CHANNEL_POSTS_PREFIX) ? page.channels : null;
      if (cacheKey !== null) void offline.write(cacheKey, page, channels);
      return page;
    },
    page: readAndStore,
    readOffline: async () => (cacheKey === null ? null : offline.read(cacheKey, parse.pagedPosts)),
  };
}
