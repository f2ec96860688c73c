// First-seen posts: the newest post of each channel when this device first saw it. Without a read marker, a channel counts as
// read up to that post.

import type { ReadMarker } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import { list } from '../../../contract/shape.ts';
import type { Connection } from '../connection/connection.ts';
import { FIRST_SEEN_KEY } from '../offline/keys.ts';
import { type OfflineStore, tryParse } from '../offline/offline-store.ts';
import { markEntry } from './user-state-storage.ts';
import type { UserStateValues } from './user-state-values.ts';

export interface FirstSeen {
  /** Returns the id of the newest post of each channel when this device first saw it. */
  markers(): ReadonlyMap<string, number>;
  /** Records the channels that this device has not seen before. */
  record(channels: readonly Channel[]): void;
  /** Sets the stored value, and records the channels that were seen before it was loaded. */
  load(stored: unknown): void;
  /** Adds a read marker to each channel that has none. */
  addReadMarkers(): void;
}

const parseFirstSeen = list(parse.readMarker);

export function createFirstSeen(
  connection: Connection,
  offline: OfflineStore,
  { lineup, readMarkers }: UserStateValues,
): FirstSeen {
  let markers: ReadonlyMap<string, number> = new Map();
  /** Channels that were seen before the stored value was loaded; null afterwards. */
  let earlyChannels: readonly Channel[] | null = [];

  const addReadMarkers = (): void => readMarkers.set(new Map([...markers, ...readMarkers.get()]));
  function record(channels: readonly Channel[]): void {
    if (earlyChannels !== null) earlyChannels = [...earlyChannels, ...channels];
    const added = channels.flatMap(({ id, latest }) => (markers.has(id) ? [] : [[id, latest?.id ?? 0] as const]));
    if (earlyChannels !== null || added.length === 0 || connection.isClosed()) return;
    markers = new Map([...added, ...markers]);
    if (lineup.get() !== null) addReadMarkers();
    const value: ReadMarker[] = [...markers].map(([channelId, messageId]) => ({ channelId, messageId }));
    void offline.storage.then(({ reader }) => reader.put([[FIRST_SEEN_KEY, value]]));
  }
  return {
    markers: () => markers,
    record,
    load(stored) {
      markers = new Map(tryParse(parseFirstSeen, stored)?.map(markEntry));
      const channels = earlyChannels ?? [];
      earlyChannels = null;
      record(channels);
    },
    addReadMarkers,
  };
}
