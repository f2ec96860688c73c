import { useEffect, useState } from 'react';
import { useServices } from '../context/services.ts';
import { SINGLE_KEYS_KEY } from '../lib/storage-keys.ts';
import { createStoredValue } from '../lib/web-storage.ts';

/** Single-key shortcuts (WCAG 2.1.4): returns the reader's setting on this device, and a setter. */
export function useSingleKeyShortcuts(): readonly [boolean, (isOn: boolean) => void] {
  const { environment } = useServices();
  const [isOn, setOn] = useState(true);
  useEffect(() => {
    if (!environment.embedded) setOn(readSingleKeyShortcuts());
  }, [environment.embedded]);
  const setAndSave = (next: boolean) => {
    setOn(next);
    createStoredValue('device', SINGLE_KEYS_KEY).write(next ? 'on' : 'off');
  };
  return [isOn, setAndSave];
}

/**
 * Reads the setting from storage each time, because another page may have changed it. True if storage is blocked
 * (third-party frame).
 */
export const readSingleKeyShortcuts = (): boolean => createStoredValue('device', SINGLE_KEYS_KEY).read() !== 'off';

/**
 * Returns true if a shortcut may use this key press: no other handler has used it, and the focus is neither in a field
 * nor in a dialog. Pass `path` if the event may no longer be dispatched, because `composedPath()` is empty then.
 */
export function isShortcutEvent(event: KeyboardEvent, path = event.composedPath()): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return false;
  return !path.some((node) => node instanceof Element && (isField(node) || node.matches('dialog')));
}

const isField = (node: Element): boolean =>
  node.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]');

/**
 * Returns the letter or character of a key. On a layout without Latin letters, it uses the key's physical position, so
 * that Russian and Arabic keyboards work the same way.
 */
export function shortcutLetter({ key, code, shiftKey }: KeyboardEvent): string {
  if (/^[a-z/?]$/i.test(key)) return key.toLowerCase();
  if (code === 'Slash' && /^[.,\u0600-\u06ff]$/.test(key)) return shiftKey ? '?' : '/';
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key.toLowerCase();
}
