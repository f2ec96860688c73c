// Services for tests of the feed and of channel pages, with post lists in memory.

import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import type { AppServices } from '../../../src/context/services.ts';
import type { DataClient } from '../../../src/data/model/client.ts';
import type { Loadable, PostList, PostListState } from '../../../src/data/model/types.ts';
import { createSignal, type WritableSignal } from '../../../src/lib/signal.ts';
import { channel, stubServices } from './dial-services.ts';

export const GAZETTE: Channel = {
  ...channel('1', 'Harbour Gazette', 'Ferries and tides. https://gazette.example'),
  latest: { id: 40, date: 4000 },
};
export const ORCHARD: Channel = { ...channel('2', 'Orchard University'), latest: { id: 40, date: 4000 } };
const CHANNELS = [GAZETTE, ORCHARD];

/** Returns a plain post of the Gazette. `overrides` replaces its fields. */
export const post = (id: number, overrides: Partial<Post> = {}): Post => ({
  channelId: '1',
  id,
  date: id * 100,
  text: `Post ${id}. ${'The tide comes in and goes out again. '.repeat(6)}`,
  entities: [],
  media: [],
  reactions: [],
  ...overrides,
});

/** Returns posts of the Gazette, newest first. */
export const posts = (from: number, to: number): Post[] =>
  Array.from({ length: from - to + 1 }, (_, index) => post(from - index));

/** A list in memory. A test sets its state by `state`. */
export interface StubList extends PostList {
  readonly state: WritableSignal<PostListState>;
  readonly loadCalls: string[];
}

type Loaded = Extract<PostListState, { type: 'loaded' }>;

export const loaded = (shown: readonly Post[], overrides: Partial<Loaded> = {}): PostListState => ({
  type: 'loaded',
  posts: shown,
  channels: new Map(CHANNELS.map((one) => [one.id, one])),
  older: 'end',
  newer: 'end',
  cachedAt: null,
  ...overrides,
});

export function stubList(initialState: PostListState, older: readonly Post[] = []): StubList {
  const state = createSignal(initialState);
  const loadCalls: string[] = [];
  return {
    ...state,
    state,
    loadCalls,
    scrollAnchor: null,
    async loadOlder() {
      loadCalls.push('older');
      const now = state.get();
      if (now.type === 'loaded') state.set(loaded([...now.posts, ...older]));
    },
    async loadNewer() {
      loadCalls.push('newer');
    },
    async refresh() {
      loadCalls.push('refresh');
    },
  };
}

export interface ReadingServices extends AppServices {
  readonly calls: string[];
  readonly marks: WritableSignal<ReadonlyMap<string, number>>;
}

/** Creates services whose feed and channel page show `list`. */
export function readingServices(
  list: PostList,
  { marks = {}, found = GAZETTE, embedded = false, ...more }: ReadingOptions = {},
): ReadingServices {
  const stub = stubServices({ embedded });
  const markers = createSignal<ReadonlyMap<string, number>>(new Map(Object.entries(marks)));
  const channelSignal = createSignal<Loadable<Channel>>(
    found === null
      ? { type: 'failed', message: 'No such channel', status: 404 }
      : { type: 'loaded', value: found, cachedAt: null },
  );
  const dataClient: DataClient = {
    ...stub.dataClient,
    readMarkers: markers,
    feed: (filter) => {
      stub.calls.push(`feed ${JSON.stringify(filter)}`);
      return list;
    },
    posts: (id, query) => {
      stub.calls.push(`posts ${id} ${JSON.stringify(query)}`);
      return list;
    },
    channel: () => channelSignal,
    markRead: (id, messageId) => {
      stub.calls.push(`read ${id} ${messageId}`);
      markers.set(new Map(markers.get()).set(id, messageId));
    },
    markAllRead: (ids) => {
      stub.calls.push(`all read ${ids.join()}`);
      return () => stub.calls.push('all read taken back');
    },
    star: ({ channelId, id }, starred) => stub.calls.push(`star ${channelId}/${id} ${starred}`),
    ...more,
  };
  const host = {
    ...stub.host,
    share: async (url: string) => {
      stub.calls.push(`share ${url}`);
      return 'copied' as const;
    },
  };
  const site = embedded ? { ...stub.environment, baseUrl: 'https://app.example' } : stub.environment;
  return { ...stub, dataClient, host, environment: site, marks: markers };
}

interface ReadingOptions extends Omit<Partial<DataClient>, 'readMarkers'> {
  readonly marks?: Readonly<Record<string, number>>;
  /** The channel that the channel page finds; null if there is none. */
  readonly found?: Channel | null;
  readonly embedded?: boolean;
}
