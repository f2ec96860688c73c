// Stored form of the user state: keys, parsers and entries.

import type { DeviceState, ReadMarker, Star } from '../../../contract/api.ts';
import type { Lineup, LineupContents } from '../../../contract/lineup.ts';
import * as parse from '../../../contract/parse.ts';
import { list } from '../../../contract/shape.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { DEFAULT_LINEUP } from '../lineup/selectors.ts';
import { KEPT_UNREAD_PREFIX, LINEUP_KEY, MARK_PREFIX, STAR_PREFIX } from '../offline/keys.ts';
import { tryParse } from '../offline/offline-store.ts';

/** State from the device or the server. The line-up is null if it is unknown. */
export interface StoredUserState {
  readonly lineup: Lineup | null;
  readonly marks: readonly ReadMarker[];
  readonly stars: readonly Star[];
  readonly keptUnread: readonly string[];
}

/** Parses a stored line-up. A previous version stored only its entries. */
export function parseStoredLineup(raw: unknown): Lineup | null {
  const entries = tryParse(list(parse.lineupEntry), raw);
  return entries === null ? tryParse(parse.lineup, raw) : { entries, version: 0 };
}

export async function readUserState(store: KeyValueStore): Promise<StoredUserState> {
  const [lineup, marks, stars, keptUnread] = await Promise.all([
    store.get(LINEUP_KEY),
    store.list(MARK_PREFIX),
    store.list(STAR_PREFIX),
    store.list(KEPT_UNREAD_PREFIX),
  ]);
  return {
    lineup: parseStoredLineup(lineup),
    marks: marks.flatMap(([, raw]) => tryParse(parse.readMarker, raw) ?? []),
    stars: stars.flatMap(([, raw]) => tryParse(parse.star, raw) ?? []),
    keptUnread: keptUnread.map(([, key]) => String(key)),
  };
}

/** Returns a store's state of a reader, in the format in which a device merges it into an account. */
export async function readDeviceState(store: KeyValueStore): Promise<Required<DeviceState>> {
  const { lineup, marks, stars, keptUnread } = await readUserState(store);
  const { entries, presets = [] } = lineup ?? DEFAULT_LINEUP;
  return { entries, presets, marks: [...marks], stars: [...stars], keptUnread: [...keptUnread] };
}

/** Removes all fields that are not contents of a line-up, such as the version. */
export const contentsOf = ({ entries, presets, ordered }: LineupContents): LineupContents => ({
  entries,
  ...(presets !== undefined && { presets }),
  ...(ordered !== undefined && { ordered }),
});

export const starKey = ({ channelId, postId }: Pick<Star, 'channelId' | 'postId'>): string => `${channelId}/${postId}`;

/** Returns false for a marker at 0, which removes the marker. */
export const isReadMarkerSet = ({ messageId }: ReadMarker): boolean => messageId > 0;

/** Returns the entry of a marker in a map by channel id. */
export const toReadMarkerEntry = ({ channelId, messageId }: ReadMarker) => [channelId, messageId] as const;

export const toStoredReadMarker = (mark: ReadMarker): readonly [string, ReadMarker] => [MARK_PREFIX + mark.channelId, mark];

/** Parses an entry of a map from star key to time. */
export const toStar = ([key, at]: readonly [key: string, at: number]): Star => {
  const [channelId = '', postId] = key.split('/');
  return { channelId, postId: Number(postId), at };
};

export const toStoredStar = (star: Star): readonly [string, Star] => [STAR_PREFIX + starKey(star), star];
