import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { isShortcutEvent, shortcutLetter } from '../../hooks/use-single-key-shortcuts.ts';

/** Dial keymap: the actions of the dial's keys. In an embed only the channel switches are available. */
export interface DialKeyHandlers {
  flip(by: 1 | -1): void;
  back(): void;
  open(): void;
  typeDigit(digit: string): void;
  /** Selects the number typed so far; returns false if none was typed. */
  confirm(): boolean;
  step(by: 1 | -1): void;
  unfollow(): void;
  toggleMute(): void;
  move(by: 1 | -1): void;
  undo(): void;
  /** Activates the next preset. */
  switchPreset(): void;
  find(): void;
  showHelp(): void;
}

/**
 * Listens to key events: in the app those of the whole page, on a third-party page only those of the focused tag. Inactive
 * while a field or a dialog has the focus. `singleKeysEnabled: false` ignores the single-character keys (WCAG 2.1.4).
 */
export function useDialKeymap(
  root: RefObject<HTMLElement | null>,
  handlers: DialKeyHandlers,
  dir: 'ltr' | 'rtl',
  singleKeysEnabled: boolean,
): void {
  const { environment } = useServices();
  const handle = (event: KeyboardEvent) => handleKey(event, handlers, dir, singleKeysEnabled, environment.embedded);
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(() => {
    const target = environment.embedded ? root.current : document;
    if (target === null) return;
    const onKeyDown = (event: Event) => {
      if (event instanceof KeyboardEvent && isShortcutEvent(event) && latest.current(event)) event.preventDefault();
    };
    target.addEventListener('keydown', onKeyDown);
    return () => target.removeEventListener('keydown', onKeyDown);
  }, [root, environment.embedded]);
}

/** Returns true if the focus is on a control that already handles Enter and Space, except a row itself. */
const isOnControl = (event: KeyboardEvent): boolean => {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches('a, button, input, summary') && !target.matches('button.row-main');
};

/** Runs the action of a key; returns false to leave the key to the browser. */
function handleKey(
  event: KeyboardEvent,
  handlers: DialKeyHandlers,
  dir: 'ltr' | 'rtl',
  singleKeysEnabled: boolean,
  flipOnly: boolean,
): boolean {
  if (event.altKey) return !flipOnly && handleAltKey(event, handlers);
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return handled(handlers.flip(event.key === forward ? 1 : -1));
    case 'PageDown':
      return handled(handlers.flip(1));
    case 'PageUp':
      return handled(handlers.flip(-1));
    case 'Enter':
      if (handlers.confirm()) return true;
      return !isOnControl(event) && handled(handlers.open());
  }
  if (!singleKeysEnabled) return false;
  // Also accepts Arabic and Persian digits: the last four bits of the character code are the number.
  if (/^[0-9٠-٩۰-۹]$/.test(event.key)) return handled(handlers.typeDigit(String(event.key.charCodeAt(0) & 15)));
  return !flipOnly && handleLetterKey(event, handlers);
}

function handleAltKey(event: KeyboardEvent, handlers: DialKeyHandlers): boolean {
  if (event.key === 'ArrowUp') return handled(handlers.move(-1));
  if (event.key === 'ArrowDown') return handled(handlers.move(1));
  return false;
}

function handleLetterKey(event: KeyboardEvent, handlers: DialKeyHandlers): boolean {
  switch (shortcutLetter(event)) {
    case 'backspace':
    case 'l':
      return handled(handlers.back());
    case 'j':
      return handled(handlers.step(1));
    case 'k':
      return handled(handlers.step(-1));
    case ' ':
      return !isOnControl(event) && handled(handlers.unfollow());
    case 'm':
      return handled(handlers.toggleMute());
    case 'u':
      return handled(handlers.undo());
    case 'p':
      return handled(handlers.switchPreset());
    case '/':
      return handled(handlers.find());
    case '?':
      return handled(handlers.showHelp());
    default:
      return false;
  }
}

/** Returns true after the action has run: the key was used. */
const handled = (..._: unknown[]): true => true;
