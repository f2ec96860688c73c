import type { Channel } from '../../../contract/channel.ts';
import { MAX_CHANNELS_PER_REQUEST, MAX_LINEUP_ENTRIES } from '../../../contract/limits.ts';
import * as parse from '../../../contract/parse.ts';
import { list } from '../../../contract/shape.ts';
import type { ChannelsApi, RequestOptions } from '../../api/channels-api.ts';
import { DEFAULT_LINEUP } from '../lineup/selectors.ts';
import type { UserState } from '../mutations/user-state.ts';
import { channelKey, DIRECTORY_KEY } from '../offline/keys.ts';
import type { Cached, OfflineStore } from '../offline/offline-store.ts';
import type { DataQuery } from './query.ts';
import type { ChannelIndex, QueryCache } from './query-cache.ts';

/**
 * Directory: the channels that are shown, from the device first, then from the server. These are the first page of the
 * operator's channels, those of the line-up, and those that were loaded since; see more-channels.ts.
 */
export interface ChannelDirectory {
  readonly query: DataQuery<readonly Channel[]>;
  /** Cursor of the next page of channels; null if all are loaded, undefined before the first response. */
  next: string | null | undefined;
  /** Returns the channels that are loaded now. */
  channels(): readonly Channel[];
  /**
   * Replaces channels by those of another response. Adds those that the directory does not contain, unless `isListed` is
   * false.
   */
  add(channels: readonly Channel[], isListed?: boolean): void;
  /**
   * Adds the channels with these ids to a list, many in one request. Leaves out those that this reader may not read, and
   * requests none that the list contains.
   */
  complete(known: readonly Channel[], ids: Iterable<string>, options: RequestOptions): Promise<readonly Channel[]>;
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

/** Defined by the build: false in the bundle of the tags, whose line-up is always the default one. */
declare const __APP__: boolean;

/** Returns the ids, each once, of channels that are not in the list. */
function missingIds(ids: Iterable<string>, channels: readonly Channel[]): string[] {
  const missing = new Set(ids);
  for (const { id } of channels) missing.delete(id);
  return [...missing];
}

export function createChannelDirectory(options: ChannelDirectoryOptions): ChannelDirectory {
  const { api, offline, cache, channelIndex, userState } = options;
  const lineupIds = (): string[] => (userState.lineup.get() ?? DEFAULT_LINEUP).entries.map(({ channelId }) => channelId);

  const complete: ChannelDirectory['complete'] = async (known, ids, requestOptions) => {
    const missing = missingIds(ids, known);
    if (missing.length === 0) return known;
    const { items } = await api.channels({ ids: missing.slice(0, MAX_CHANNELS_PER_REQUEST) }, requestOptions);
    return complete([...known, ...items], missing.slice(MAX_CHANNELS_PER_REQUEST), requestOptions);
  };
  async function readCached(): Promise<Cached<readonly Channel[]> | null> {
    const stored = await offline.read(DIRECTORY_KEY, list(parse.channel));
    channelIndex.add(stored?.value ?? []);
    return stored;
  }
  /** Returns the ids of the line-up, and of the channels that were shown before. */
  async function shownIds(): Promise<readonly string[]> {
    const shown = [...((await readCached())?.value ?? []), ...directory.channels()];
    // A reader-added feed stays only if the line-up contains it.
    const ids = new Set([...lineupIds(), ...shown.flatMap(({ id, elsewhere }) => (elsewhere ? [] : id))]);
    return [...ids].slice(0, MAX_LINEUP_ENTRIES);
  }
  const query = cache.getOrCreate('directory', {}, (factory) =>
    factory.query({
      readOffline: readCached,
      async fetch(requestOptions) {
        const { items, next } = await api.channels({}, requestOptions);
        const channels = __APP__ ? await complete(items, await shownIds(), requestOptions) : items;
        directory.next = next;
        channelIndex.add(channels);
        userState.recordFirstSeen(channels);
        void offline.writeChannels(channels);
        return channels;
      },
    }),
  );
  if (__APP__) refetchForLineup(query, userState.lineup, lineupIds);

  const directory: ChannelDirectory = {
    query,
    next: undefined,
    channels() {
      const state = query.get();
      return state.type === 'loaded' ? state.value : [];
    },
    add(channels, isListed = true) {
      if (!__APP__) return;
      channelIndex.add(channels);
      const state = query.get();
      if (state.type !== 'loaded') return;
      const byId = new Map(state.value.map((channel) => [channel.id, channel]));
      for (const channel of channels) if (isListed || byId.has(channel.id)) byId.set(channel.id, channel);
      query.set({ ...state, value: [...byId.values()] });
    },
    complete,
    readCached,
    async readCachedChannel(id) {
      const stored = await offline.read(channelKey(id), parse.channel);
      if (stored !== null) return stored;
      const cachedDirectory = await readCached();
      const value = channelIndex.get(id);
      return cachedDirectory === null || value === undefined ? null : { value, at: cachedDirectory.at };
    },
  };
  return directory;
}

/** Refetches the directory when the line-up names channels that it does not contain. */
function refetchForLineup(
  query: DataQuery<readonly Channel[]>,
  lineup: UserState['lineup'],
  lineupIds: () => readonly string[],
): void {
  let previous = '';
  lineup.subscribe(() => {
    const state = query.get();
    // Until the response arrives, the line-up has yet to be read for it.
    if (state.type !== 'loaded' || state.cachedAt !== null) return;
    const missing = missingIds(lineupIds(), state.value).join();
    if (missing !== previous && missing !== '') void query.refetch();
    previous = missing;
  });
}
