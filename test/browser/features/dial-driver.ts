// Test driver of the dial: mounts it, finds its elements, and sends keys and clicks.

import { aTimeout, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-dial.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { AppServices } from '../../../src/context/services.ts';

let mounted: ChangerElement | null = null;

/** Removes the mounted dial. */
export function unmountDial(): void {
  mounted?.remove();
  mounted = null;
}

export function mountDial(
  services: AppServices,
  attributes: Readonly<Record<string, string>> = {},
  params?: Readonly<Record<string, string>>,
  isReload = false,
): ChangerElement {
  // The dial stores its position in the history, and only a reload may restore it.
  if (!isReload) history.replaceState(null, '');
  mounted = document.createElement('changer-dial');
  mounted.services = services;
  mounted.params = params;
  for (const [name, value] of Object.entries(attributes)) mounted.setAttribute(name, value);
  document.body.append(mounted);
  return mounted;
}

export const find = (dial: Element, selector: string): HTMLElement => {
  const found = dial.shadowRoot?.querySelector<HTMLElement>(selector);
  if (found === null || found === undefined) throw new Error(`no ${selector}`);
  return found;
};
export const has = (dial: Element, selector: string): boolean => dial.shadowRoot?.querySelector(selector) !== null;
export const text = (dial: Element): string => dial.shadowRoot?.querySelector('.root')?.textContent ?? '';
export const currentTitle = (dial: Element): string => dial.shadowRoot?.querySelector('#on-now')?.textContent ?? '';
export const announcement = (dial: Element): string => find(dial, '.voice').textContent ?? '';
export const order = (dial: Element): string =>
  [...(dial.shadowRoot?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].map((row) => row.dataset.row).join('');
/**
 * Returns the id of the row that has the focus. Elements are never compared themselves, because a failed comparison prints the
 * complete page.
 */
export const focusedRow = (dial: Element): string | undefined =>
  dial.shadowRoot?.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
export const button = (dial: Element, name: string): HTMLElement => {
  const named = [...(dial.shadowRoot?.querySelectorAll<HTMLElement>('button, a, input') ?? [])];
  const found = named.find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name);
  if (found === undefined) throw new Error(`no control called ${name}`);
  return found;
};
/** Presses a key and yields to the event loop before and after, as between two real keys. */
export async function press(
  key: string,
  { on = document, ...init }: KeyboardEventInit & { on?: EventTarget } = {},
): Promise<void> {
  await aTimeout(0);
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...init }));
  await aTimeout(0);
}
/** Presses a key on the focused element. */
export const pressOnFocused = (dial: Element, key: string, init: KeyboardEventInit = {}): Promise<void> =>
  press(key, { ...init, on: dial.shadowRoot?.activeElement ?? document });
export async function click(dial: Element, name: string): Promise<void> {
  button(dial, name).click();
  await aTimeout(0);
}
/** Enters a value into a field, as a reader does. */
export async function type(field: HTMLElement, value: string): Promise<void> {
  if (!(field instanceof HTMLInputElement)) throw new Error('no field');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  await aTimeout(0);
}
export const waitUntilCurrent = (dial: Element, title: string) => waitUntil(() => currentTitle(dial) === title, `${title} is on`);
/** Sheets, sections and editing are in a lazy chunk. */
export const waitForLazyParts = (dial: Element) => waitUntil(() => has(dial, '.others'), 'the rest of the dial is there');
/** The code that moves rows by pointer is in a lazy chunk, too. */
export const waitUntilMovable = (dial: Element) => waitUntil(() => has(dial, '.rows[data-movable]'), 'rows can be moved');
