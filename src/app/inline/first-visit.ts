import { FIRST_VISIT_KEY } from '../../lib/storage-keys.ts';

/**
 * CSS class of the `html` element for a reader who was here before, or who opened the app in Telegram. Such a reader is not
 * shown the page that the server rendered for anonymous readers.
 */
export const RETURNING_VISITOR_CLASS = 'own';

/**
 * Returns true on the first visit: nothing is stored on this device or in this tab, and the URL has no launch parameters of
 * Telegram. The reader then sees what every anonymous reader sees. Also stores the time of the first visit.
 */
export function isFirstVisit(): boolean {
  if (/[#?&](tgWebApp|startapp)/.test(location.hash + location.search)) return false;
  try {
    const storedCount = localStorage.length + sessionStorage.length;
    if (localStorage.getItem(FIRST_VISIT_KEY) === null) localStorage.setItem(FIRST_VISIT_KEY, String(Date.now()));
    return storedCount === 0;
  } catch {
    // If the browser blocks storage, nothing is stored either.
    return true;
  }
}
