import type { LineupContents } from '../../../contract/lineup.ts';
import { createSignal } from '../../lib/signal.ts';
import { DEFAULT_LINEUP } from '../lineup/selectors.ts';
import type { SyncStatus } from '../model/types.ts';
import type { UserState } from './user-state.ts';

/** Creates the state of a read-only anonymous reader: the default line-up, and nothing read. */
export const createEmptyUserState = (): UserState => {
  const doNothing = (): void => {};
  return {
    lineup: createSignal<LineupContents | null>(DEFAULT_LINEUP),
    readMarkers: createSignal(new Map()),
    keptUnread: createSignal(new Set()),
    stars: createSignal(new Map()),
    syncStatus: createSignal<SyncStatus>({ type: 'saved' }),
    writeCount: createSignal(0),
    lastMerge: createSignal(null),
    loaded: Promise.resolve(),
    reloadFromStorage: async () => {},
    recordFirstSeen: doNothing,
    setLineup: doNothing,
    setReadMarker: doNothing,
    setStar: doNothing,
    setKeptUnread: doNothing,
    applyServerState: doNothing,
    applyDefaultIfUnknown: doNothing,
  };
};
