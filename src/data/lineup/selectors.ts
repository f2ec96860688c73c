// Line-up selectors: pure functions that derive what is shown from a line-up. A line-up without entries is the default: every
// channel, in the operator's order. operations.ts changes a line-up.
import type { Channel } from '../../../contract/channel.ts';
import type { LineupContents, LineupEntry, Preset } from '../../../contract/lineup.ts';
import { isMuted } from '../../../contract/merge-lineup.ts';
import type { LineupRow } from '../model/types.ts';

type Entries = readonly LineupEntry[];

/** The default line-up, as stored on a device that never had another one. */
export const DEFAULT_LINEUP: LineupContents = { entries: [] };

export const isFollowed = (entry: LineupEntry): boolean => entry.followed !== false;

/**
 * Returns the ids of the channels in the feed (followed and not muted); undefined for the default line-up, which the server
 * knows.
 */
export const feedChannelIds = ({ entries }: LineupContents, seconds: number): readonly string[] | undefined =>
  entries.length === 0
    ? undefined
    : entries.filter((entry) => isFollowed(entry) && !isMuted(entry, seconds)).map((entry) => entry.channelId);

/**
 * Returns the ids of reader-added feeds in a line-up. They are unlisted: the directory returns one only to a request that
 * names its id.
 */
export const externalFeedIds = ({ entries }: LineupContents): readonly string[] =>
  entries.flatMap(({ channelId }) => (channelId.startsWith('f-') ? channelId : []));

/** Returns when the next mute expires, unix seconds; null where none expires by itself. */
export function nextUnmuteTime(entries: Entries, seconds: number): number | null {
  const ends = entries.flatMap(({ mutedUntil = 0 }) => (mutedUntil > seconds ? mutedUntil : []));
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
  seconds: number,
): readonly LineupRow[] {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const listedIds = new Set(entries.map((entry) => entry.channelId));
  const unlisted = channels
    .filter((channel) => !listedIds.has(channel.id))
    .map((channel) => ({ channelId: channel.id, followed: entries.length === 0 }));
  const row = (entry: LineupEntry, index: number): readonly LineupRow[] => {
    const channel = byId.get(entry.channelId);
    const followed = isFollowed(entry);
    const number = followed ? index + 1 : null;
    const count = unread.get(entry.channelId) ?? 0;
    return channel === undefined ? [] : [{ channel, entry, number, followed, muted: isMuted(entry, seconds), unread: count }];
  };
  const listed = [...entries, ...unlisted].filter((entry) => byId.has(entry.channelId));
  return [...listed.filter(isFollowed), ...listed.filter((entry) => !isFollowed(entry))].flatMap(row);
}

/**
 * Returns a function that tests if a text contains a muted keyword of its channel; null where no channel has muted keywords.
 */
export function createMutedWordsFilter({ entries }: LineupContents): ((channelId: string, text: string) => boolean) | null {
  const words = new Map(
    entries.flatMap(({ channelId, mutedWords = [] }) =>
      mutedWords.length === 0 ? [] : [[channelId, mutedWords.map((word) => word.toLocaleLowerCase())] as const],
    ),
  );
  if (words.size === 0) return null;
  return (channelId, text) => {
    const lower = text.toLocaleLowerCase();
    return words.get(channelId)?.some((word) => lower.includes(word)) ?? false;
  };
}

interface Timestamped {
  readonly changed?: number;
}

/**
 * Undoes a change: restores what it changed to the `former` state, with the current time as the time of change. Later changes
 * from elsewhere remain. Entries that the change added are unfollowed; presets that it added are removed.
 */
export const undoLineupChange =
  (previous: LineupContents, changed: LineupContents) =>
  (present: LineupContents, now: number): LineupContents => {
    const entries = restoreItems(previous.entries, changed.entries, present.entries, now, keyOfEntry, (entry) => ({
      ...entry,
      followed: false,
    }));
    const presets = restoreItems(
      previous.presets ?? [],
      changed.presets ?? [],
      present.presets ?? [],
      now,
      keyOfPreset,
      (preset) => ({
        ...preset,
        removed: true,
      }),
    );
    const isReordered = previous.entries.map(keyOfEntry).join() !== changed.entries.map(keyOfEntry).join();
    return {
      ...present,
      entries: isReordered ? sortEntriesLike(previous.entries, entries) : entries,
      ...(presets.length > 0 && { presets }),
      ...(isReordered && { ordered: now }),
    };
  };

const keyOfEntry = ({ channelId }: LineupEntry): string => channelId;
const keyOfPreset = ({ id }: Preset): string => id;

function restoreItems<Item extends Timestamped>(
  previous: readonly Item[],
  changed: readonly Item[],
  present: readonly Item[],
  now: number,
  keyOf: (item: Item) => string,
  toRemoved: (item: Item) => Item,
): Item[] {
  const before = new Map(previous.map((item) => [keyOf(item), item]));
  const after = new Map(changed.map((item) => [keyOf(item), item]));
  return present.map((item) => {
    const [was, became] = [before.get(keyOf(item)), after.get(keyOf(item))];
    return became === undefined || was === became ? item : { ...(was ?? toRemoved(item)), changed: now };
  });
}

function sortEntriesLike(previous: Entries, entries: Entries): LineupEntry[] {
  const positions = new Map(previous.map((entry, index) => [entry.channelId, index]));
  const positionOf = ({ channelId }: LineupEntry): number => positions.get(channelId) ?? previous.length;
  return [...entries].sort((a, b) => positionOf(a) - positionOf(b));
}
