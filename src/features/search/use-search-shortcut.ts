import { useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { isShortcutEvent, readSingleKeyShortcuts, shortcutLetter } from '../../hooks/use-single-key-shortcuts.ts';

/**
 * Search shortcut: calls `onShortcut` when `/` is pressed while the single-character keys are on; not on a third-party
 * page, which keeps its own keys.
 */
export function useSearchShortcut(onShortcut: () => void): void {
  const { environment } = useServices();
  const latest = useRef(onShortcut);
  useEffect(() => {
    latest.current = onShortcut;
  });
  useEffect(() => {
    if (environment.embedded) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (shortcutLetter(event) !== '/' || event.altKey || !isShortcutEvent(event) || !readSingleKeyShortcuts()) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [environment.embedded]);
}
