/** Where the launch parameters are kept for a reload. */
export const KEPT = 'changer_launch';
/** What every parameter's name begins with. */
export const PREFIX = 'tgWebApp';
export const DATA = 'tgWebAppData';

/** Gives the parameters that an earlier load of this tab kept, '' where there are none. */
export function readKept(): string {
  try {
    const kept = sessionStorage.getItem(KEPT);
    if (kept !== null) return kept;
  } catch {
    // It is in the history entry then, as it is where storage reads but does not write (a full one).
  }
  const kept: unknown = Reflect.get(stateNow(), KEPT);
  return typeof kept === 'string' ? kept : '';
}

/** The history entry's state. */
export function stateNow(): object {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}
