// Cursor pagination: sources of lists that read the server's pages and store the first.
import type { PostPage } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { Api, Read } from '../../api/channels-api.ts';
import type { Readable } from '../../lib/signal.ts';
import type { Device } from '../offline/offline-store.ts';
import type { PostSource } from './post-list/post-list.ts';

export type Cursor = { readonly before?: string | undefined; readonly after?: string | undefined };

export type ReadPage = (cursor: Cursor, how: Read) => Promise<PostPage>;

/** What the sources share. */
export interface Sources {
  readonly api: Api;
  readonly device: Device;
  /** The channels of the feed: undefined where the server knows them, after what that needs has been read. */
  feedIds(): Promise<readonly string[] | undefined>;
  /** The channels of the feed, also where the server knows them: those of the line-up as this device stores it. */
  cachedIds(): Promise<readonly string[]>;
  marks(): Promise<ReadonlyMap<string, number>>;
  readonly keptUnread: Readable<ReadonlySet<string>>;
  stars(): Promise<ReadonlyMap<string, number>>;
  /** Whether the server knows the reader's stars. */
  isSignedIn(): boolean;
  /** The id of a channel called by its id or username. */
  idOf(idOrUsername: string): string;
  /** A channel as this device knows it. */
  channel(id: string): Promise<Channel | null>;
  /** Notes what came. */
  learn(page: PostPage): void;
}

export const EMPTY_PAGE: PostPage = { items: [], next: null, previous: null, channels: [] };

/** Makes a source of a way to read pages: what comes is learnt, and the first page kept under `slot`. */
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
