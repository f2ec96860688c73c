import { FIRST_VISIT_KEY } from '../../lib/storage-keys.ts';

/**
 * CSS class of the `html` element for a reader who has used the app on this device before, or who opened it in
 * Telegram. For such a reader, the page that the server rendered for anonymous readers is hidden.
 */
export const RETURNING_VISITOR_CLASS = 'own';

/**
 * First visit: returns true if nothing is stored on this device or in this tab, and the URL has no launch parameters of
 * Telegram. The reader then sees the same content as every anonymous reader. Also stores the time of the first visit.
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
