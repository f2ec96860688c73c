/** Launch storage: key under which the launch parameters are stored for a reload. */
export const KEPT = 'changer_launch';
/** Prefix of the name of every launch parameter. */
export const PREFIX = 'tgWebApp';
export const DATA = 'tgWebAppData';

/** Returns the parameters that an earlier load of this tab stored, '' where there are none. */
export function readKept(): string {
  try {
    const kept = sessionStorage.getItem(KEPT);
    if (kept !== null) return kept;
  } catch {
    // sessionStorage is blocked. The parameters are then in the history entry, as they are where storage is full and cannot
    // be written.
  }
  const kept: unknown = Reflect.get(stateNow(), KEPT);
  return typeof kept === 'string' ? kept : '';
}

/** Returns the state object of the current history entry. */
export function stateNow(): object {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}
