// First-seen posts: the newest post of each channel at the time when this device first saw the channel. Without a read
// marker, a channel counts as read up to that post.

import type { ReadMarker } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import { list } from '../../../contract/shape.ts';
import type { Connection } from '../connection/connection.ts';
import { FIRST_SEEN_KEY } from '../offline/keys.ts';
import { type OfflineStore, tryParse } from '../offline/offline-store.ts';
import { toReadMarkerEntry } from './user-state-storage.ts';
import type { UserStateValues } from './user-state-values.ts';

export interface FirstSeen {
  /** Returns the id of the first-seen post by channel id; 0 for a channel that had no posts. */
  markers(): ReadonlyMap<string, number>;
  /** Records the channels that this device has not seen before. */
  record(channels: readonly Channel[]): void;
  /** Sets the first-seen posts that the device stored, and records the channels that were seen before they were loaded. */
  load(stored: unknown): void;
  /** Sets the read marker of each channel that has none to its first-seen post. */
  addReadMarkers(): void;
}

const parseFirstSeen = list(parse.readMarker);

export function createFirstSeen(
  connection: Connection,
  offline: OfflineStore,
  { lineup, readMarkers }: UserStateValues,
): FirstSeen {
  /** Post ids by channel id. */
  let firstSeen: ReadonlyMap<string, number> = new Map();
  /** Channels that were seen before the stored value was loaded; null afterwards. */
  let earlyChannels: readonly Channel[] | null = [];

  const addReadMarkers = (): void => readMarkers.set(new Map([...firstSeen, ...readMarkers.get()]));
  function record(channels: readonly Channel[]): void {
    if (earlyChannels !== null) earlyChannels = [...earlyChannels, ...channels];
    const added = channels.flatMap(({ id, latest }) => (firstSeen.has(id) ? [] : [[id, latest?.id ?? 0] as const]));
    if (earlyChannels !== null || added.length === 0 || connection.isClosed()) return;
    firstSeen = new Map([...added, ...firstSeen]);
    if (lineup.get() !== null) addReadMarkers();
    const value: ReadMarker[] = [...firstSeen].map(([channelId, messageId]) => ({ channelId, messageId }));
    void offline.storage.then(({ reader }) => reader.put([[FIRST_SEEN_KEY, value]]));
  }
  return {
    markers: () => firstSeen,
    record,
    load(stored) {
      firstSeen = new Map(tryParse(parseFirstSeen, stored)?.map(toReadMarkerEntry));
      const channels = earlyChannels ?? [];
      earlyChannels = null;
      record(channels);
    },
    addReadMarkers,
  };
}
