import { useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { isShortcutEvent, readSingleKeyShortcuts, shortcutLetter } from '../../hooks/use-single-key-shortcuts.ts';

/**
 * Search shortcut: calls `go` when `/` is pressed while the single-character keys are on; not on a third-party page, which
 * keeps its own keys.
 */
export function useSearchShortcut(go: () => void): void {
  const { environment: site } = useServices();
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (site.embedded) return;
    const listen = (event: KeyboardEvent) => {
      if (shortcutLetter(event) !== '/' || event.altKey || !isShortcutEvent(event) || !readSingleKeyShortcuts()) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [site.embedded]);
}
