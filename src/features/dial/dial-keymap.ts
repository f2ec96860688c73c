import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { isFree, letterOf } from '../../hooks/use-single-key-shortcuts.ts';

/** Dial keymap: the actions of the dial's keys. In an embed only the channel switches are available. */
export interface KeyActs {
  flip(by: 1 | -1): void;
  back(): void;
  open(): void;
  digit(digit: string): void;
  /** Selects the number typed so far; returns false if none was typed. */
  confirm(): boolean;
  step(by: 1 | -1): void;
  turnOff(): void;
  toggleMute(): void;
  move(by: 1 | -1): void;
  undo(): void;
  /** Activates the next preset. */
  preset(): void;
  find(): void;
  help(): void;
}

/**
 * Listens to key events: in the app those of the whole page, on a third-party page only those of the focused tag. Inactive
 * while a field or a dialog has the focus. `on: false` ignores the single-character keys (WCAG 2.1.4).
 */
export function useKeys(root: RefObject<HTMLElement | null>, acts: KeyActs, dir: 'ltr' | 'rtl', on: boolean): void {
  const { site } = useServices();
  const latest = useRef({ acts, dir, on });
  useEffect(() => {
    latest.current = { acts, dir, on };
  });
  useEffect(() => {
    const target = site.embedded ? root.current : document;
    if (target === null) return;
    const listen = (event: Event) => {
      const now = latest.current;
      if (event instanceof KeyboardEvent && isFree(event) && press(event, now.acts, now.dir, now.on, site.embedded))
        event.preventDefault();
    };
    target.addEventListener('keydown', listen);
    return () => target.removeEventListener('keydown', listen);
  }, [root, site.embedded]);
}

/** Returns true if the focus is on a control that already handles Enter and Space, except a row itself. */
const onControl = (event: KeyboardEvent): boolean => {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches('a, button, input, summary') && !target.matches('button.row-main');
};

/** Runs the action of a key; returns false to leave the key to the browser. */
function press(event: KeyboardEvent, acts: KeyActs, dir: 'ltr' | 'rtl', on: boolean, flipOnly: boolean): boolean {
  if (event.altKey) return !flipOnly && pressAlt(event, acts);
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return done(acts.flip(event.key === forward ? 1 : -1));
    case 'PageDown':
      return done(acts.flip(1));
    case 'PageUp':
      return done(acts.flip(-1));
    case 'Enter':
      if (acts.confirm()) return true;
      return !onControl(event) && done(acts.open());
  }
  if (!on) return false;
  // Also accepts Arabic and Persian digits: the last four bits of the character code are the number.
  if (/^[0-9٠-٩۰-۹]$/.test(event.key)) return done(acts.digit(String(event.key.charCodeAt(0) & 15)));
  return !flipOnly && pressLetter(event, acts);
}

function pressAlt(event: KeyboardEvent, acts: KeyActs): boolean {
  if (event.key === 'ArrowUp') return done(acts.move(-1));
  if (event.key === 'ArrowDown') return done(acts.move(1));
  return false;
}

function pressLetter(event: KeyboardEvent, acts: KeyActs): boolean {
  switch (letterOf(event)) {
    case 'backspace':
    case 'l':
      return done(acts.back());
    case 'j':
      return done(acts.step(1));
    case 'k':
      return done(acts.step(-1));
    case ' ':
      return !onControl(event) && done(acts.turnOff());
    case 'm':
      return done(acts.toggleMute());
    case 'u':
      return done(acts.undo());
    case 'p':
      return done(acts.preset());
    case '/':
      return done(acts.find());
    case '?':
      return done(acts.help());
    default:
      return false;
  }
}

/** Returns true after the action has run: the key was used. */
const done = (..._: unknown[]): true => true;
