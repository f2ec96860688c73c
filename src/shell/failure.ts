import type { Messages } from '../i18n/i18n.ts';

/** Says, in a page's place, that it could not be loaded; `retry` is called once at most. It needs nothing that is loaded. */
export function createFailure({ msg }: Messages, retry: () => void): HTMLElement {
  const box = document.createElement('div');
  box.className = 'shell-failure';
  box.setAttribute('role', 'alert');
  const add = (tag: string, text: string): HTMLElement => {
    const element = box.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  };
  add('h1', msg('This could not be loaded'));
  add('button', msg('Try again')).addEventListener('click', retry, { once: true });
  return box;
}
