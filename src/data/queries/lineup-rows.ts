import type { Channel } from '../../../contract/channel.ts';
import type { LineupContents } from '../../../contract/lineup.ts';
import type { Signal } from '../../lib/signal.ts';
import { computed } from '../../lib/watched-signal.ts';
import type { MuteExpiry } from '../lineup/mute-expiry.ts';
import { toLineupRows } from '../lineup/selectors.ts';
import type { LineupRow, Loadable } from '../model/types.ts';

export type LineupRows = Signal<Loadable<readonly LineupRow[]>>;

export interface LineupRowsOptions {
  readonly lineup: Signal<LineupContents | null>;
  readonly muteExpiry: MuteExpiry;
  /** Returns the current time, unix seconds. */
  seconds(): number;
}

/** Derives the rows of the line-up from the directory, the line-up, the unread counts and the time. */
export const createLineupRows = (
  { lineup, muteExpiry, seconds }: LineupRowsOptions,
  directory: Signal<Loadable<readonly Channel[]>>,
  counts: Signal<ReadonlyMap<string, number>>,
): LineupRows =>
  computed([directory, lineup, counts, muteExpiry.lastExpiry], () => {
    const channels = directory.get();
    const contents = lineup.get();
    if (channels.type !== 'loaded') return channels;
    return contents === null
      ? { type: 'loading' }
      : { ...channels, value: toLineupRows(channels.value, contents, counts.get(), seconds()) };
  });
