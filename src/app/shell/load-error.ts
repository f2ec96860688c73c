import type { Messages } from '../../i18n/i18n.ts';

/**
 * Load error: creates the message that is shown in place of a page. It reports that the page could not be loaded, or
 * that the server has a new version and no longer has this one. `retry` is called at most once; it loads a new document
 * if it fails again. The message needs no file that is loaded later.
 */
export function createLoadError({ msg }: Pick<Messages, 'msg'>, retry: () => void): HTMLElement {
  const box = document.createElement('div');
  box.className = 'shell-failure';
  box.setAttribute('role', 'alert');
  const add = (tag: string, text: string): HTMLElement => {
    const element = box.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  };
  const isOutdated = performance.getEntriesByType('resource').some(isMissingChunk);
  add('h1', isOutdated ? msg('There is a new version') : msg('This could not be loaded'));
  add('button', isOutdated ? msg('Reload') : msg('Try again')).addEventListener('click', retry, { once: true });
  return box;
}

/**
 * Returns true if the server returned 404 for a file of the app: this page then belongs to a deleted build. Not every
 * browser reports the status.
 */
export const isMissingChunk = (entry: PerformanceEntry): boolean =>
  Reflect.get(entry, 'responseStatus') === 404 && /\/assets\//.test(entry.name);
