import { MAX_LINEUP_ENTRIES, MAX_PRESETS } from './limits.ts';
import type { LineupContents, LineupEntry } from './lineup.ts';

/** Returns whether a channel is muted. `seconds` is unix time. An entry muted "until changed" has 0. */
export const isMuted = ({ mutedUntil }: LineupEntry, seconds: number): boolean =>
  mutedUntil !== undefined && (mutedUntil === 0 || mutedUntil > seconds);

interface Timestamped {
  readonly changed?: number;
}

/**
 * Merges two line-ups that were changed independently. Of each entry and preset, the one with the later change wins; `sent`
 * wins if both have the same time. The order is that of the line-up that was reordered last. An item that only the other one
 * has is placed after its neighbour. Items above the limits of a line-up are cut from the end.
 */
export function mergeLineups(existing: LineupContents, sent: LineupContents): LineupContents {
  const isSentLater = (sent.ordered ?? 0) >= (existing.ordered ?? 0);
  const ordered = Math.max(sent.ordered ?? 0, existing.ordered ?? 0);
  const presets = mergeByTime(existing.presets ?? [], sent.presets ?? [], isSentLater, (preset) => preset.id).slice(
    0,
    MAX_PRESETS,
  );
  return {
    entries: mergeByTime(existing.entries, sent.entries, isSentLater, (entry) => entry.channelId).slice(0, MAX_LINEUP_ENTRIES),
    ...(presets.length > 0 && { presets }),
    ...(ordered > 0 && { ordered }),
  };
}

/** Merges two lists in the order of one of them. Of an item that is in both, the one with the later change wins. */
function mergeByTime<Item extends Timestamped>(
  existing: readonly Item[],
  sent: readonly Item[],
  isSentOrder: boolean,
  keyOf: (item: Item) => string,
): Item[] {
  const found = new Map(existing.map((item) => [keyOf(item), item]));
  for (const item of sent) {
    const other = found.get(keyOf(item));
    if (other === undefined || (item.changed ?? 0) >= (other.changed ?? 0)) found.set(keyOf(item), item);
  }
  const [leading, other] = isSentOrder ? [sent, existing] : [existing, sent];
  const order = leading.map(keyOf);
  other.map(keyOf).forEach((key, index, keys) => {
    if (!order.includes(key)) order.splice(index === 0 ? 0 : order.indexOf(keys[index - 1] ?? '') + 1, 0, key);
  });
  return order.flatMap((key) => found.get(key) ?? []);
}
