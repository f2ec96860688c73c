/** Launch storage: key under which the launch parameters are stored for a reload. */
export const LAUNCH_KEY = 'changer_launch';
/** Prefix of the name of every launch parameter. */
export const LAUNCH_PARAM_PREFIX = 'tgWebApp';
export const LAUNCH_DATA_PARAM = 'tgWebAppData';

/** Returns the parameters that an earlier load of this tab stored, '' where there are none. */
export function readStoredLaunch(): string {
  try {
    const kept = sessionStorage.getItem(LAUNCH_KEY);
    if (kept !== null) return kept;
  } catch {
    // sessionStorage is blocked. The parameters are then in the history entry, as they are where storage is full and cannot
    // be written.
  }
  const kept: unknown = Reflect.get(currentHistoryState(), LAUNCH_KEY);
  return typeof kept === 'string' ? kept : '';
}

/** Returns the state object of the current history entry. */
export function currentHistoryState(): object {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}
