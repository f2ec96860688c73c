// First change of a default line-up, which contains all channels: completes it with the channels that were not loaded.

import { MAX_LINEUP_ENTRIES } from '../../../contract/limits.ts';
import type { DataContext } from '../context.ts';
import { DEFAULT_LINEUP, expandDefaultLineup } from '../lineup/selectors.ts';
import type { LineupOperation } from '../model/types.ts';
import { loadLineupChannels } from '../queries/more-channels.ts';

/**
 * Loads the remaining channels, and appends to the line-up the entries that they have after the operation. `changedAt` is
 * the time of the operation, unix seconds.
 */
export async function completeLineup(context: DataContext, operation: LineupOperation, changedAt: number): Promise<void> {
  await loadLineupChannels(context);
  const { directory, userState } = context;
  const { entries, ...others } = userState.lineup.get() ?? DEFAULT_LINEUP;
  if (entries.length === 0) return;
  const knownIds = new Set(entries.map(({ channelId }) => channelId));
  const remaining = operation(expandDefaultLineup(DEFAULT_LINEUP, directory.channels()), changedAt).entries.filter(
    ({ channelId }) => !knownIds.has(channelId),
  );
  const added = remaining.slice(0, Math.max(0, MAX_LINEUP_ENTRIES - entries.length));
  if (added.length > 0) userState.setLineup({ ...others, entries: [...entries, ...added] });
}
