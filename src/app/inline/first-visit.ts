/**
 * Class of a document whose reader was here before or starts from a Telegram launch. The page that the server rendered for
 * anonymous readers is not theirs.
 */
export const RETURNING_VISITOR_CLASS = 'own';

/** Storage key of the time of the first visit on this device, unix milliseconds; see src/features/layout/use-home-screen.ts. */
const FIRST_SEEN_KEY = 'changer_seen';

/**
 * Returns true if neither this device nor the URL holds anything that could make the reader's view differ from the anonymous
 * one.
 */
export function isFirstVisit(): boolean {
  if (/[#?&](tgWebApp|startapp)/.test(location.hash + location.search)) return false;
  try {
    const known = localStorage.length + sessionStorage.length;
    if (localStorage.getItem(FIRST_SEEN_KEY) === null) localStorage.setItem(FIRST_SEEN_KEY, String(Date.now()));
    return known === 0;
  } catch {
    // If the browser blocks storage, nothing is stored either.
    return true;
  }
}
