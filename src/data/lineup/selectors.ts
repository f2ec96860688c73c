// Line-up selectors: pure functions that derive what is shown from a line-up. A line-up without entries is the default:
// every channel, in the operator's order. See operations.ts for changes.

import type { Channel } from '../../../contract/channel.ts';
import type { LineupContents, LineupEntry, Preset } from '../../../contract/lineup.ts';
import { isMuted } from '../../../contract/merge-lineup.ts';
import type { LineupRow } from '../model/types.ts';

type Entries = readonly LineupEntry[];

/** The default line-up, as stored on a device that never had another one. */
export const DEFAULT_LINEUP: LineupContents = { entries: [] };

/** Prefix of the ids of reader-added feeds. */
const EXTERNAL_FEED_PREFIX = 'f-';

export const isFollowed = (entry: LineupEntry): boolean => entry.followed !== false;

/**
 * Returns the ids of the channels in the feed (followed and not muted); undefined for the default line-up, which the server
 * knows. `nowSeconds` is the current time, unix seconds.
 */
export const feedChannelIds = ({ entries }: LineupContents, nowSeconds: number): readonly string[] | undefined =>
  entries.length === 0
    ? undefined
    : entries.filter((entry) => isFollowed(entry) && !isMuted(entry, nowSeconds)).map((entry) => entry.channelId);

/**
 * Returns the ids of reader-added feeds in a line-up. They are unlisted: the directory returns one only to a request that
 * names its id.
 */
export const externalFeedIds = ({ entries }: LineupContents): readonly string[] =>
  entries.flatMap(({ channelId }) => (channelId.startsWith(EXTERNAL_FEED_PREFIX) ? channelId : []));

/** Returns when the next mute expires, unix seconds; null if none expires by itself. */
export function nextUnmuteTime(entries: Entries, nowSeconds: number): number | null {
  const ends = entries.flatMap(({ mutedUntil = 0 }) => (mutedUntil > nowSeconds ? mutedUntil : []));
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Converts the default line-up to explicit entries, so that it can be changed. */
export const expandDefaultLineup = (contents: LineupContents, channels: readonly Channel[]): LineupContents =>
  contents.entries.length > 0
    ? contents
    : { ...contents, entries: channels.map((channel) => ({ channelId: channel.id, followed: true })) };

/** Returns the presets that are not removed. */
export const activePresets = ({ presets = [] }: LineupContents): readonly Preset[] =>
  presets.filter((preset) => preset.removed !== true);

/** Returns followed rows in dial order, then the others: first those of the line-up, then those that it does not contain. */
export function toLineupRows(
  channels: readonly Channel[],
  { entries }: LineupContents,
  unread: ReadonlyMap<string, number>,
  nowSeconds: number,
): readonly LineupRow[] {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const listedIds = new Set(entries.map((entry) => entry.channelId));
  const unlisted = channels
    .filter((channel) => !listedIds.has(channel.id))
    .map((channel) => ({ channelId: channel.id, followed: entries.length === 0 }));
  const toRows = (entry: LineupEntry, index: number): readonly LineupRow[] => {
    const channel = byId.get(entry.channelId);
    const followed = isFollowed(entry);
    const number = followed ? index + 1 : null;
    const count = unread.get(entry.channelId) ?? 0;
    const muted = isMuted(entry, nowSeconds);
    return channel === undefined ? [] : [{ channel, entry, number, followed, muted, unread: count }];
  };
  const listed = [...entries, ...unlisted].filter((entry) => byId.has(entry.channelId));
  return [...listed.filter(isFollowed), ...listed.filter((entry) => !isFollowed(entry))].flatMap(toRows);
}

/**
 * Returns a function that tests if a text contains a muted keyword of its channel; null if no channel has muted keywords.
 */
export function createMutedWordsFilter({ entries }: LineupContents): ((channelId: string, text: string) => boolean) | null {
  const wordsByChannel = new Map(
    entries.flatMap(({ channelId, mutedWords = [] }) =>
      mutedWords.length === 0 ? [] : [[channelId, mutedWords.map((word) => word.toLocaleLowerCase())] as const],
    ),
  );
  if (wordsByChannel.size === 0) return null;
  return (channelId, text) => {
    const lower = text.toLocaleLowerCase();
    return wordsByChannel.get(channelId)?.some((word) => lower.includes(word)) ?? false;
  };
}

/** An item with the time of its last change, unix ms. */
interface Timestamped {
  readonly changed?: number;
}

/**
 * Undoes a change: restores what it changed to the `previous` state, with `now` (unix ms) as the time of change. Later
 * changes from other tabs and devices remain. Entries that the change added are unfollowed; presets that it added are removed.
 */
export const undoLineupChange =
  (previous: LineupContents, changed: LineupContents) =>
  (current: LineupContents, now: number): LineupContents => {
    const entries = restoreItems(previous.entries, changed.entries, current.entries, now, keyOfEntry, (entry) => ({
      ...entry,
      followed: false,
    }));
    const presets = restoreItems(
      previous.presets ?? [],
      changed.presets ?? [],
      current.presets ?? [],
      now,
      keyOfPreset,
      (preset) => ({
        ...preset,
        removed: true,
      }),
    );
    const isReordered = previous.entries.map(keyOfEntry).join() !== changed.entries.map(keyOfEntry).join();
    return {
      ...current,
      entries: isReordered ? sortEntriesLike(previous.entries, entries) : entries,
      ...(presets.length > 0 && { presets }),
      ...(isReordered && { ordered: now }),
    };
  };

const keyOfEntry = ({ channelId }: LineupEntry): string => channelId;
const keyOfPreset = ({ id }: Preset): string => id;

/** Restores the items that differ between `previous` and `changed`, within the `current` items. */
function restoreItems<Item extends Timestamped>(
  previous: readonly Item[],
  changed: readonly Item[],
  current: readonly Item[],
  now: number,
  keyOf: (item: Item) => string,
  toRemoved: (item: Item) => Item,
): Item[] {
  const previousByKey = new Map(previous.map((item) => [keyOf(item), item]));
  const changedByKey = new Map(changed.map((item) => [keyOf(item), item]));
  return current.map((item) => {
    const [oldItem, newItem] = [previousByKey.get(keyOf(item)), changedByKey.get(keyOf(item))];
    return newItem === undefined || oldItem === newItem ? item : { ...(oldItem ?? toRemoved(item)), changed: now };
  });
}

function sortEntriesLike(previous: Entries, entries: Entries): LineupEntry[] {
  const positions = new Map(previous.map((entry, index) => [entry.channelId, index]));
  const positionOf = ({ channelId }: LineupEntry): number => positions.get(channelId) ?? previous.length;
  return [...entries].sort((a, b) => positionOf(a) - positionOf(b));
}
