import type { LineupContents } from '../../../contract/lineup.ts';
import { createCell } from '../../lib/signal.ts';
import { DEFAULT } from '../lineup/selectors.ts';
import type { Saving } from '../model/types.ts';
import type { ReaderState } from './user-state.ts';

/** Creates the state of a read-only anonymous reader: the default line-up, and nothing read. */
export const inertState = (): ReaderState => {
  const nothing = (): void => {};
  return {
    lineup: createCell<LineupContents | null>(DEFAULT),
    marks: createCell(new Map()),
    keptUnread: createCell(new Set()),
    stars: createCell(new Map()),
    saving: createCell<Saving>({ type: 'saved' }),
    written: createCell(0),
    merge: createCell(null),
    loaded: Promise.resolve(),
    reread: async () => {},
    meet: nothing,
    setLineup: nothing,
    setMark: nothing,
    setStar: nothing,
    setKeptUnread: nothing,
    take: nothing,
    saved: nothing,
    settle: nothing,
  };
};
