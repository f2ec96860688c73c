import { readHistoryState } from '../../lib/history-state.ts';
import { LAUNCH_KEY } from '../../lib/storage-keys.ts';

/* Launch storage: names of the launch parameters, and access to the parameters that were stored for a reload. */

/** Prefix of the name of every launch parameter. */
export const LAUNCH_PARAM_PREFIX = 'tgWebApp';
export const LAUNCH_DATA_PARAM = 'tgWebAppData';

/** Returns the parameters that an earlier load of this tab stored, '' if there are none. */
export function readStoredLaunch(): string {
  try {
    const stored = sessionStorage.getItem(LAUNCH_KEY);
    if (stored !== null) return stored;
  } catch {
    // sessionStorage is blocked. The parameters are then in the history entry, as they are if storage is full.
  }
  const stored = readHistoryState(LAUNCH_KEY);
  return typeof stored === 'string' ? stored : '';
}
