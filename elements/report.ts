/*
 * Stands in place of the browser's own reportError wherever the tags' bundles, React's code among them, would use it: what fails
 * in an answer to a click is told to the document, and never becomes an error of the site's.
 */

/** Tells the document of an error that nothing has caught. */
export function reportError(error: unknown): void {
  const detail = { message: error instanceof Error ? error.message : String(error) };
  document.dispatchEvent(new CustomEvent('changer-failed', { detail }));
}
