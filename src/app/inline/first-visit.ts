import { FIRST_VISIT_KEY } from '../../lib/storage-keys.ts';

/**
 * Class of a document whose reader was here before or starts from a Telegram launch. The page that the server rendered for
 * anonymous readers is not theirs.
 */
export const RETURNING_VISITOR_CLASS = 'own';

/**
 * Returns true if neither this device nor the URL holds anything that could make the reader's view differ from the anonymous
 * one.
 */
export function isFirstVisit(): boolean {
  if (/[#?&](tgWebApp|startapp)/.test(location.hash + location.search)) return false;
  try {
    const storedValues = localStorage.length + sessionStorage.length;
    if (localStorage.getItem(FIRST_VISIT_KEY) === null) localStorage.setItem(FIRST_VISIT_KEY, String(Date.now()));
    return storedValues === 0;
  } catch {
    // If the browser blocks storage, nothing is stored either.
    return true;
  }
}
