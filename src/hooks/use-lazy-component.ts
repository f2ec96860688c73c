import { type ComponentType, useEffect, useState } from 'react';

/**
 * Lazy component: loads a component that the first paint does not need; returns null until it is loaded. It loads at
 * once if `isNeeded` is true, otherwise 4 s after mounting, so that it is available if the network fails later. A
 * failed load is tried again when `isNeeded` changes, or when the device is back online.
 */
export function useLazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
  isNeeded: boolean,
): ComponentType<Props> | null {
  const [LoadedComponent, setLoadedComponent] = useState<ComponentType<Props> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every render has another loader of the same component
  useEffect(() => {
    if (LoadedComponent !== null) return;
    const loadComponent = () =>
      load()
        .then((component) => setLoadedComponent(() => component))
        .catch(() => {});
    const timer = setTimeout(loadComponent, isNeeded ? 0 : LOAD_DELAY_MS);
    window.addEventListener('online', loadComponent);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', loadComponent);
    };
  }, [isNeeded, LoadedComponent]);
  return LoadedComponent;
}

/** Delay after mounting until a component loads that is not needed yet, ms. */
const LOAD_DELAY_MS = 4000;
