import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { isShortcutEvent, shortcutLetter } from '../../hooks/use-single-key-shortcuts.ts';

/** Dial keymap: the actions of the dial's keys. On a third-party page only the channel switches are available. */
export interface DialKeyHandlers {
  /** Switches to the next (1) or the previous channel (-1). */
  flip(by: 1 | -1): void;
  /** Switches to the channel that was active before. */
  back(): void;
  open(): void;
  typeDigit(digit: string): void;
  /** Selects the number typed so far; returns false if none was typed. */
  confirm(): boolean;
  /** Moves the focus to the next (1) or the previous row (-1) of the list. */
  focusNextRow(by: 1 | -1): void;
  unfollow(): void;
  toggleMute(): void;
  /** Moves the active channel down (1) or up (-1) in the line-up. */
  move(by: 1 | -1): void;
  undo(): void;
  /** Activates the next preset. */
  switchPreset(): void;
  openSearch(): void;
  showHelp(): void;
}

/**
 * Listens to key events: in the app on the document, on a third-party page only inside the focused tag. Ignores keys
 * while a field or a dialog has the focus, and the single-character keys if `singleKeysEnabled` is false (WCAG 2.1.4).
 */
export function useDialKeymap(
  root: RefObject<HTMLElement | null>,
  handlers: DialKeyHandlers,
  dir: 'ltr' | 'rtl',
  singleKeysEnabled: boolean,
): void {
  const { environment } = useServices();
  const handle = (event: KeyboardEvent) => handleKey(event, handlers, dir, singleKeysEnabled, environment.embedded);
  const latestHandler = useRef(handle);
  useEffect(() => {
    latestHandler.current = handle;
  });
  useEffect(() => {
    const target = environment.embedded ? root.current : document;
    if (target === null) return;
    const onKeyDown = (event: Event) => {
      if (event instanceof KeyboardEvent && isShortcutEvent(event) && latestHandler.current(event)) event.preventDefault();
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
  const forwardKey = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return handled(handlers.flip(event.key === forwardKey ? 1 : -1));
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
      return handled(handlers.focusNextRow(1));
    case 'k':
      return handled(handlers.focusNextRow(-1));
    case ' ':
      return !isOnControl(event) && handled(handlers.unfollow());
    case 'm':
      return handled(handlers.toggleMute());
    case 'u':
      return handled(handlers.undo());
    case 'p':
      return handled(handlers.switchPreset());
    case '/':
      return handled(handlers.openSearch());
    case '?':
      return handled(handlers.showHelp());
    default:
      return false;
  }
}

/** Returns true after the action has run: the key was used. */
const handled = (..._: unknown[]): true => true;
