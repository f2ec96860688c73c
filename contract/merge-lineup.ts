// Line-up merge: combines two versions of a line-up that two devices changed independently (last write wins per entry).
import { MAX_LINEUP_ENTRIES, MAX_PRESETS } from './limits.ts';
import type { LineupContents, LineupEntry } from './lineup.ts';

/** Returns true if a channel is muted at the time `now`, unix seconds. `mutedUntil` is 0 for a mute without an end. */
export const isMuted = ({ mutedUntil }: LineupEntry, now: number): boolean =>
  mutedUntil !== undefined && (mutedUntil === 0 || mutedUntil > now);

/** An entry or a preset. `changed` is the time of its last change, unix ms. */
interface Timestamped {
  readonly changed?: number;
}

/**
 * Merges two line-ups that were changed independently. On the server, `existing` is its own and `sent` that of a
 * device. Of each entry and preset, the version with the later change wins; at equal times `sent` wins. The order is
 * that of the line-up that was reordered last. An item that only the other line-up has is placed after the item that
 * precedes it there. Items above the limits of a line-up are removed from the end.
 */
export function mergeLineups(existing: LineupContents, sent: LineupContents): LineupContents {
  const isSentOrder = (sent.ordered ?? 0) >= (existing.ordered ?? 0);
  const ordered = Math.max(sent.ordered ?? 0, existing.ordered ?? 0);
  const presets = mergeByTime(existing.presets ?? [], sent.presets ?? [], isSentOrder, (preset) => preset.id).slice(
    0,
    MAX_PRESETS,
  );
  return {
    entries: mergeByTime(existing.entries, sent.entries, isSentOrder, (entry) => entry.channelId).slice(0, MAX_LINEUP_ENTRIES),
    ...(presets.length > 0 && { presets }),
    ...(ordered > 0 && { ordered }),
  };
}

/**
 * Merges two lists. The order is that of `sent` if `isSentOrder` is true, else that of `existing`. Of an item that is
 * in both, the version with the later change wins.
 */
function mergeByTime<Item extends Timestamped>(
  existing: readonly Item[],
  sent: readonly Item[],
  isSentOrder: boolean,
  keyOf: (item: Item) => string,
): Item[] {
  const itemsByKey = new Map(existing.map((item) => [keyOf(item), item]));
  for (const item of sent) {
    const current = itemsByKey.get(keyOf(item));
    if (current === undefined || (item.changed ?? 0) >= (current.changed ?? 0)) itemsByKey.set(keyOf(item), item);
  }
  const [leading, other] = isSentOrder ? [sent, existing] : [existing, sent];
  const orderedKeys = leading.map(keyOf);
  other.map(keyOf).forEach((key, index, keys) => {
    if (orderedKeys.includes(key)) return;
    const position = index === 0 ? 0 : orderedKeys.indexOf(keys[index - 1] ?? '') + 1;
    orderedKeys.splice(position, 0, key);
  });
  return orderedKeys.flatMap((key) => itemsByKey.get(key) ?? []);
}
