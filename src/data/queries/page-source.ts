// Cursor pagination: sources of lists that fetch the server's pages and store the first page.
import type { PagedPosts } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { ChannelsApi, RequestOptions } from '../../api/channels-api.ts';
import type { Signal } from '../../lib/signal.ts';
import { CHANNEL_POSTS_PREFIX } from '../offline/keys.ts';
import type { OfflineStore } from '../offline/offline-store.ts';
import type { PostSource } from './post-list/types.ts';

export type ListCursor = { readonly before?: string | undefined; readonly after?: string | undefined };

export type ReadPage = (cursor: ListCursor, options: RequestOptions) => Promise<PagedPosts>;

/** Dependencies that the sources share. */
export interface PostSourceContext {
  readonly api: ChannelsApi;
  readonly offline: OfflineStore;
  /**
   * Returns the channels of the feed; undefined where the server knows them. First waits for the state that this depends on.
   */
  feedChannelIds(): Promise<readonly string[] | undefined>;
  /** Returns the channels of the feed even where the server knows them, from the stored line-up. */
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
 * Creates a source from a function that fetches pages. It records each page, and stores the first page under the key `slot`.
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
      if (cacheKey !== null) void offline.write(cacheKey, page, cacheKey.startsWith(CHANNEL_POSTS_PREFIX) ? page.channels : null);
      return page;
    },
    page: readAndStore,
    readOffline: async () => (cacheKey === null ? null : offline.read(cacheKey, parse.pagedPosts)),
  };
}
