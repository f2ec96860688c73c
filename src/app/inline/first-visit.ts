/** The class of a document whose reader was here before, or comes with a launch: what the server drew for anyone is not theirs. */
export const OWN = 'own';

/** Under this stands when this device first came, unix milliseconds; see src/features/layout/use-home-screen.ts. */
const SEEN = 'changer_seen';

/** Whether nothing on this device, and nothing in the address, says that the reader's view may differ from anyone's. */
export function isFirstVisit(): boolean {
  if (/[#?&](tgWebApp|startapp)/.test(location.hash + location.search)) return false;
  try {
    const known = localStorage.length + sessionStorage.length;
    if (localStorage.getItem(SEEN) === null) localStorage.setItem(SEEN, String(Date.now()));
    return known === 0;
  } catch {
    // Where storage is refused nothing is kept either.
    return true;
  }
}
