import { type ComponentType, useEffect, useState } from 'react';

/**
 * Lazy component: loads a component that the first paint does not need; returns null until it is loaded. It loads at once
 * when `wanted`, else 4 s after mounting, so that it is available when the network fails later. A failed load is tried again
 * when the component is wanted.
 */
export function useLazyComponent<Props>(load: () => Promise<ComponentType<Props>>, wanted: boolean): ComponentType<Props> | null {
  const [LoadedComponent, setLoadedComponent] = useState<ComponentType<Props> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every render creates the loader again, and it always loads the same
  useEffect(() => {
    if (LoadedComponent !== null) return;
    const loadComponent = () =>
      load()
        .then((component) => setLoadedComponent(() => component))
        .catch(() => {});
    const timer = setTimeout(loadComponent, wanted ? 0 : LOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [wanted, LoadedComponent]);
  return LoadedComponent;
}

const LOAD_DELAY_MS = 4000;
