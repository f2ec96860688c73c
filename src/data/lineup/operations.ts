// Line-up operations: pure functions that change a line-up. Each takes a line-up with explicit entries. It returns the
// same object if there is nothing to change.

import type { LineupContents, LineupEntry, Preset } from '../../../contract/lineup.ts';
import type { LineupOperation } from '../model/types.ts';
import { isFollowed } from './selectors.ts';

type Entries = readonly LineupEntry[];

/** Changes the entries of these channels. Appends an entry for a channel that the line-up does not contain yet. */
function updateEntries(
  { entries }: LineupContents,
  channelIds: readonly string[],
  now: number,
  change: (entry: LineupEntry) => LineupEntry,
): LineupEntry[] {
  const knownIds = new Set(entries.map((entry) => entry.channelId));
  const missing = channelIds.filter((id) => !knownIds.has(id)).map((channelId) => ({ channelId, followed: false }));
  const targetIds = new Set(channelIds);
  return [...entries, ...missing].map((entry) => (targetIds.has(entry.channelId) ? { ...change(entry), changed: now } : entry));
}

/** Follows or unfollows channels. `feed` is the URL by which a reader-added feed was added. */
export const setFollowed =
  (channelIds: readonly string[], followed: boolean, feed?: string): LineupOperation =>
  (contents, now) => ({
    ...contents,
    entries: updateEntries(contents, channelIds, now, (entry) => ({ ...entry, followed, ...(feed !== undefined && { feed }) })),
  });

/** Mutes channels. `until` is unix seconds; 0 means "until changed"; null unmutes. */
export const muteChannels =
  (channelIds: readonly string[], until: number | null): LineupOperation =>
  (contents, now) => ({
    ...contents,
    entries: updateEntries(contents, channelIds, now, ({ mutedUntil: _, ...entry }) => ({
      ...entry,
      ...(until !== null && { mutedUntil: until }),
    })),
  });

/**
 * Sets the muted keywords of a channel: the feed omits its posts that contain one of them. An empty list removes the filter.
 */
export const setMutedWords =
  (channelId: string, words: readonly string[]): LineupOperation =>
  (contents, now) => ({
    ...contents,
    entries: updateEntries(contents, [channelId], now, ({ mutedWords: _, ...entry }) => ({
      ...entry,
      ...(words.length > 0 && { mutedWords: [...words] }),
    })),
  });

/**
 * Moves channels, in their current order, to a position. `position` counts from 1 over `shownIds`, the ids of the followed
 * channels in dial order.
 */
export const moveChannels =
  (shownIds: readonly string[], channelIds: readonly string[], position: number): LineupOperation =>
  (contents, now) => {
    const targetIds = new Set(channelIds);
    const moved = shownIds.filter((id) => targetIds.has(id));
    const others = shownIds.filter((id) => !targetIds.has(id));
    const index = Math.min(Math.max(Math.trunc(position), 1), others.length + 1) - 1;
    const order = others.toSpliced(index, 0, ...moved);
    if (moved.length === 0 || order.join() === shownIds.join()) return contents;
    return { ...contents, entries: reorderEntries(shownIds, order, contents.entries), ordered: now };
  };

/**
 * Reorders the entries of `shownIds` to `order`, within the positions that they occupy. All other entries keep their positions.
 */
function reorderEntries(shownIds: readonly string[], order: readonly string[], entries: Entries): LineupEntry[] {
  const byId = new Map(entries.map((entry) => [entry.channelId, entry]));
  const movedIds = new Set(shownIds);
  const queue = order.flatMap((id) => byId.get(id) ?? []);
  return entries.map((entry) => (movedIds.has(entry.channelId) ? (queue.shift() ?? entry) : entry));
}

/** Adds a preset, or replaces the one with the same id. */
export const savePreset =
  (preset: Omit<Preset, 'changed' | 'removed'>): LineupOperation =>
  ({ presets = [], ...contents }, now) => {
    const saved = { ...preset, changed: now };
    const isKnown = presets.some(({ id }) => id === preset.id);
    return {
      ...contents,
      presets: isKnown ? presets.map((other) => (other.id === preset.id ? saved : other)) : [...presets, saved],
    };
  };

export const removePreset =
  (id: string): LineupOperation =>
  ({ presets = [], ...contents }, now) => ({
    ...contents,
    presets: presets.map((other) => (other.id === id ? { ...other, removed: true, changed: now } : other)),
  });

/** Replaces the line-up by a given one: these channels in this order; all others are unfollowed. */
export const replaceLineup =
  (channelIds: readonly string[]): LineupOperation =>
  (contents, now) => {
    const unfollowed = contents.entries.filter((entry) => isFollowed(entry) && !channelIds.includes(entry.channelId));
    const entries = updateEntries(contents, channelIds, now, (entry) => ({ ...entry, followed: true })).map((entry) =>
      unfollowed.some(({ channelId }) => channelId === entry.channelId) ? { ...entry, followed: false, changed: now } : entry,
    );
    const byId = new Map(entries.map((entry) => [entry.channelId, entry]));
    const selected = channelIds.flatMap((id) => byId.get(id) ?? []);
    return { ...contents, entries: [...selected, ...entries.filter((entry) => !selected.includes(entry))], ordered: now };
  };

/** Appends the channels of another line-up that this one does not follow. */
export const appendChannels =
  (channelIds: readonly string[]): LineupOperation =>
  (contents, now) => {
    const followedIds = new Set(contents.entries.filter(isFollowed).map((entry) => entry.channelId));
    const missing = channelIds.filter((id) => !followedIds.has(id));
    if (missing.length === 0) return contents;
    const entries = updateEntries(contents, missing, now, (entry) => ({ ...entry, followed: true }));
    const added = missing.flatMap((id) => entries.find((entry) => entry.channelId === id) ?? []);
    return { ...contents, entries: [...entries.filter((entry) => !added.includes(entry)), ...added], ordered: now };
  };

/** Creates a preset id that is unique across devices. `crypto.randomUUID` does not exist on a page without https. */
export const createPresetId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`;
