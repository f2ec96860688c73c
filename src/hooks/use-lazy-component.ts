import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part that the first paint does not need, null until it is there. It loads at once when `wanted`, else when the page has
 * come to rest, so that it is there when the network has gone; a load that fails is tried again when the part is wanted.
 */
export function useLazy<Props>(load: () => Promise<ComponentType<Props>>, wanted: boolean): ComponentType<Props> | null {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the loader is made anew by every render and always loads the same
  useEffect(() => {
    if (Part !== null) return;
    const get = () =>
      load()
        .then((part) => setPart(() => part))
        .catch(() => {});
    const timer = setTimeout(get, wanted ? 0 : REST);
    return () => clearTimeout(timer);
  }, [wanted, Part]);
  return Part;
}

const REST = 4000;
