import { useEffect, useState } from 'react';
import { useServices } from '../context/services.ts';

const KEY = 'channel-changer.single-keys';

/** Whether the single-character keys are on, as the reader chose on this device (WCAG 2.1.4). */
export function useSingleKeys(): readonly [boolean, (on: boolean) => void] {
  const { site } = useServices();
  const [on, setOn] = useState(true);
  useEffect(() => {
    if (!site.embedded) setOn(readSingleKeys());
  }, [site.embedded]);
  const choose = (next: boolean) => {
    setOn(next);
    keepChoice(next);
  };
  return [on, choose];
}

/** Reads the choice as it is now: another page may have changed it. */
export function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true; // a blocked storage (third-party frame) only means that the choice is not kept
  }
}

function keepChoice(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // see readSingleKeys
  }
}

/**
 * Returns whether a key is the page's to use: nothing else has taken it, and neither a field nor a dialog has the focus. `path`
 * is that of the event, which is empty once the event is over.
 */
export function isFree(event: KeyboardEvent, path = event.composedPath()): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return false;
  return !path.some((node) => node instanceof Element && (isField(node) || node.matches('dialog')));
}

const isField = (node: Element): boolean =>
  node.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]');

/**
 * Returns the letter or the sign of a key. Where the layout has no Latin letter, it goes by the key's place, so that a Russian
 * or Arabic keyboard works alike.
 */
export function letterOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (/^[a-z/?]$/i.test(key)) return key.toLowerCase();
  if (code === 'Slash' && /^[.,\u0600-\u06ff]$/.test(key)) return shiftKey ? '?' : '/';
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key.toLowerCase();
}
