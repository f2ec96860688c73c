import type { Channel } from '../../../contract/channel.ts';
import type { LineupContents } from '../../../contract/lineup.ts';
import type { Signal } from '../../lib/signal.ts';
import { computed } from '../../lib/watched-signal.ts';
import { toLineupRows } from '../lineup/selectors.ts';
import type { LineupRow, Loadable } from '../model/types.ts';

export type LineupRows = Signal<Loadable<readonly LineupRow[]>>;

/**
 * Derives the rows of the line-up from the directory, the line-up, the unread counts by channel, and the time. `muteExpiry` is
 * the time when a mute last expired. `nowSeconds` returns the current time, unix seconds.
 */
export const createLineupRows = (
  directory: Signal<Loadable<readonly Channel[]>>,
  lineup: Signal<LineupContents | null>,
  counts: Signal<ReadonlyMap<string, number>>,
  muteExpiry: Signal<number>,
  nowSeconds: () => number,
): LineupRows =>
  computed([directory, lineup, counts, muteExpiry], () => {
    const channels = directory.get();
    const contents = lineup.get();
    if (channels.type !== 'loaded') return channels;
    return contents === null
      ? { type: 'loading' }
      : { ...channels, value: toLineupRows(channels.value, contents, counts.get(), nowSeconds()) };
  });
