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
 * while a field or a dialog has the focus. `on: false` ignores the single-character keys (WCAG 2.1.4).
 */
export function useDialKeymap(root: RefObject<HTMLElement | null>, acts: DialKeyHandlers, dir: 'ltr' | 'rtl', on: boolean): void {
  const { environment: site } = useServices();
  const latest = useRef({ acts, dir, on });
  useEffect(() => {
    latest.current = { acts, dir, on };
  });
  useEffect(() => {
    const target = site.embedded ? root.current : document;
    if (target === null) return;
    const listen = (event: Event) => {
      const now = latest.current;
      if (event instanceof KeyboardEvent && isShortcutEvent(event) && handleKey(event, now.acts, now.dir, now.on, site.embedded))
        event.preventDefault();
    };
    target.addEventListener('keydown', listen);
    return () => target.removeEventListener('keydown', listen);
  }, [root, site.embedded]);
}

/** Returns true if the focus is on a control that already handles Enter and Space, except a row itself. */
const isOnControl = (event: KeyboardEvent): boolean => {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches('a, button, input, summary') && !target.matches('button.row-main');
};

/** Runs the action of a key; returns false to leave the key to the browser. */
function handleKey(event: KeyboardEvent, acts: DialKeyHandlers, dir: 'ltr' | 'rtl', on: boolean, flipOnly: boolean): boolean {
  if (event.altKey) return !flipOnly && handleAltKey(event, acts);
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return handled(acts.flip(event.key === forward ? 1 : -1));
    case 'PageDown':
      return handled(acts.flip(1));
    case 'PageUp':
      return handled(acts.flip(-1));
    case 'Enter':
      if (acts.confirm()) return true;
      return !isOnControl(event) && handled(acts.open());
  }
  if (!on) return false;
  // Also accepts Arabic and Persian digits: the last four bits of the character code are the number.
  if (/^[0-9٠-٩۰-۹]$/.test(event.key)) return handled(acts.typeDigit(String(event.key.charCodeAt(0) & 15)));
  return !flipOnly && handleLetterKey(event, acts);
}

function handleAltKey(event: KeyboardEvent, acts: DialKeyHandlers): boolean {
  if (event.key === 'ArrowUp') return handled(acts.move(-1));
  if (event.key === 'ArrowDown') return handled(acts.move(1));
  return false;
}

function handleLetterKey(event: KeyboardEvent, acts: DialKeyHandlers): boolean {
  switch (shortcutLetter(event)) {
    case 'backspace':
    case 'l':
      return handled(acts.back());
    case 'j':
      return handled(acts.step(1));
    case 'k':
      return handled(acts.step(-1));
    case ' ':
      return !isOnControl(event) && handled(acts.unfollow());
    case 'm':
      return handled(acts.toggleMute());
    case 'u':
      return handled(acts.undo());
    case 'p':
      return handled(acts.switchPreset());
    case '/':
      return handled(acts.find());
    case '?':
      return handled(acts.showHelp());
    default:
      return false;
  }
}

/** Returns true after the action has run: the key was used. */
const handled = (..._: unknown[]): true => true;
