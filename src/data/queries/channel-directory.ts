import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import { list } from '../../../contract/shape.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import { DEFAULT_LINEUP, externalFeedIds } from '../lineup/selectors.ts';
import type { UserState } from '../mutations/user-state.ts';
import { channelKey, DIRECTORY_KEY } from '../offline/keys.ts';
import type { Cached, OfflineStore } from '../offline/offline-store.ts';
import type { DataQuery } from './query.ts';
import type { ChannelIndex, QueryCache } from './query-cache.ts';

/** Directory: every channel that the reader may see, from the device first, then from the server. */
export interface ChannelDirectory {
  readonly query: DataQuery<readonly Channel[]>;
  /** Returns the channels that are loaded now. */
  channels(): readonly Channel[];
  /** Adds a channel from another response, if the directory does not contain it. */
  add(channel: Channel): void;
  /** Returns the stored directory. */
  readCached(): Promise<Cached<readonly Channel[]> | null>;
  /** Returns the stored channel: its own entry if its page was visited, else its entry in the stored directory. */
  readCachedChannel(id: string): Promise<Cached<Channel> | null>;
}

export interface ChannelDirectoryOptions {
  readonly api: ChannelsApi;
  readonly offline: OfflineStore;
  readonly cache: QueryCache;
  readonly channelIndex: ChannelIndex;
  readonly userState: Pick<UserState, 'lineup' | 'recordFirstSeen'>;
}

export function createChannelDirectory(options: ChannelDirectoryOptions): ChannelDirectory {
  const { api, offline, cache, channelIndex, userState } = options;
  const externalIds = (): readonly string[] => externalFeedIds(userState.lineup.get() ?? DEFAULT_LINEUP);

  async function readCached(): Promise<Cached<readonly Channel[]> | null> {
    const stored = await offline.read(DIRECTORY_KEY, list(parse.channel));
    channelIndex.add(stored?.value ?? []);
    return stored;
  }
  const query = cache.getOrCreate('directory', {}, (factory) =>
    factory.query({
      readOffline: readCached,
      async fetch(requestOptions) {
        const { items } = await api.channels(externalIds(), requestOptions);
        channelIndex.add(items);
        userState.recordFirstSeen(items);
        void offline.writeChannels(items);
        return items;
      },
    }),
  );
  refetchForExternalFeeds(query, userState.lineup, externalIds);

  return {
    query,
    channels() {
      const state = query.get();
      return state.type === 'loaded' ? state.value : [];
    },
    add(channel) {
      channelIndex.add([channel]);
      const state = query.get();
      if (state.type === 'loaded' && !state.value.some(({ id }) => id === channel.id))
        query.set({ ...state, value: [...state.value, channel] });
    },
    readCached,
    async readCachedChannel(id) {
      const stored = await offline.read(channelKey(id), parse.channel);
      if (stored !== null) return stored;
      const directory = await readCached();
      const value = channelIndex.get(id);
      return directory === null || value === undefined ? null : { value, at: directory.at };
    },
  };
}

/** Refetches the directory when the line-up names other reader-added feeds: the server returns only those that are named. */
function refetchForExternalFeeds(
  query: DataQuery<readonly Channel[]>,
  lineup: UserState['lineup'],
  externalIds: () => readonly string[],
): void {
  let previous = '';
  lineup.subscribe(() => {
    if (lineup.get() === null) return;
    const current = externalIds().join();
    if (current !== previous) void query.refetch();
    previous = current;
  });
}
