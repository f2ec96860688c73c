import { ownChannel, webAddress } from '../../../channels/exchange/own-address.ts';
import type { LineupRow } from '../../../channels/types.ts';

/** Finds the row that an address means: a channel of ours, or a feed that was added by it. */
export function knownOf(address: string, rows: readonly LineupRow[]): LineupRow | null {
  const own = ownChannel(
    address,
    rows.map((row) => row.channel),
    location.origin,
  );
  const web = webAddress(address);
  return rows.find(({ channel, entry }) => channel === own || (web !== null && entry.feed === web)) ?? null;
}
