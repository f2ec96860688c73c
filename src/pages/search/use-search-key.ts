import { useEffect, useRef } from 'react';
import { isFree } from '../free-key.ts';
import { useServices } from '../services.ts';
import { readSingleKeys } from '../use-single-keys.ts';

/** Goes to the search at the press of `/`, while the single-character keys are on; a foreign page keeps its own. */
export function useSearchKey(go: () => void): void {
  const { site } = useServices();
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (site.embedded) return;
    const listen = (event: KeyboardEvent) => {
      if (!isSlash(event) || event.altKey || !isFree(event) || !readSingleKeys()) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [site.embedded]);
}

/** Also the key in its place where the layout is Russian (a full stop) or Arabic (a letter). */
const isSlash = ({ key, code }: KeyboardEvent): boolean => key === '/' || (code === 'Slash' && /^[.\u0600-\u06ff]$/.test(key));
