import type { Messages } from '../../i18n/i18n.ts';

/**
 * Says, in a page's place, that it could not be loaded, or that the server has a new version and no longer this one; `retry` is
 * called once at most, and has a new document where it fails again. It needs nothing that is loaded.
 */
export function createFailure({ msg }: Pick<Messages, 'msg'>, retry: () => void): HTMLElement {
  const box = document.createElement('div');
  box.className = 'shell-failure';
  box.setAttribute('role', 'alert');
  const add = (tag: string, text: string): HTMLElement => {
    const element = box.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  };
  const gone = performance.getEntriesByType('resource').some(isGone);
  add('h1', gone ? msg('There is a new version') : msg('This could not be loaded'));
  add('button', gone ? msg('Reload') : msg('Try again')).addEventListener('click', retry, { once: true });
  return box;
}

/** Says whether the server had a part of the app no more: this page is then of a build that has gone. Not every browser tells. */
export const isGone = (entry: PerformanceEntry): boolean =>
  Reflect.get(entry, 'responseStatus') === 404 && /\/assets\//.test(entry.name);
