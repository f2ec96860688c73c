// Cursor pagination: sources of lists that fetch the server's pages and store the first page.
import type { PostPage } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { Api, Read } from '../../api/channels-api.ts';
import type { Readable } from '../../lib/signal.ts';
import type { Device } from '../offline/offline-store.ts';
import type { PostSource } from './post-list/post-list.ts';

export type Cursor = { readonly before?: string | undefined; readonly after?: string | undefined };

export type ReadPage = (cursor: Cursor, how: Read) => Promise<PostPage>;

/** Dependencies that the sources share. */
export interface Sources {
  readonly api: Api;
  readonly device: Device;
  /**
   * Returns the channels of the feed; undefined where the server knows them. First waits for the state that this depends on.
   */
  feedIds(): Promise<readonly string[] | undefined>;
  /** Returns the channels of the feed even where the server knows them, from the stored line-up. */
  cachedIds(): Promise<readonly string[]>;
  marks(): Promise<ReadonlyMap<string, number>>;
  readonly keptUnread: Readable<ReadonlySet<string>>;
  stars(): Promise<ReadonlyMap<string, number>>;
  /** Returns true if the reader is signed in, so that the server knows their stars. */
  isSignedIn(): boolean;
  /** Returns the id of a channel, given its id or username. */
  idOf(idOrUsername: string): string;
  /** Returns a channel from memory or the device. */
  channel(id: string): Promise<Channel | null>;
  /** Records the channels and posts of a fetched page. */
  learn(page: PostPage): void;
}

export const EMPTY_PAGE: PostPage = { items: [], next: null, previous: null, channels: [] };

/**
 * Creates a source from a function that fetches pages. It records each page, and stores the first page under the key `slot`.
 */
export function paged(
  { device, learn }: Sources,
  slot: string | null,
  read: ReadPage,
): Pick<PostSource, 'first' | 'page' | 'held'> {
  async function learnt(cursor: Cursor, how: Read): Promise<PostPage> {
    const page = await read(cursor, how);
    learn(page);
    return page;
  }
  return {
    async first(how) {
      const page = await learnt({}, how);
      if (slot !== null) void device.keep(slot, page, slot.startsWith('posts/') ? page.channels : null);
      return page;
    },
    page: learnt,
    held: async () => (slot === null ? null : device.answer(slot, parse.postPage)),
  };
}
