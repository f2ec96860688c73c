import { useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { findChannels, loadMoreChannels } from '../../data/queries/more-channels.ts';

/** Debounce time after the last key, ms. */
const TYPING_DEBOUNCE_MS = 250;
/** Distance to the end of the list at which the next page loads. */
const LOAD_AHEAD_MARGIN = '1000px 0px';

interface MoreChannelsProps {
  /** Text by which the list is filtered; '' for none. */
  readonly query: string;
  /** Number of channels that are loaded: after each change, the end of the list is observed again. */
  readonly count: number;
}

// Offline, the list shows the channels that are loaded.
const ignoreFailure = () => {};

/**
 * End of a list of channels: loads the next page when it is near the window, and the channels that match the filter. They are
 * added to the directory, from which the list is rendered.
 */
export function MoreChannels({ query, count }: MoreChannelsProps) {
  const { context } = useServices().dataClient;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (context === undefined || query === '') return;
    const find = () => void findChannels(context, query).catch(ignoreFailure);
    const timer = setTimeout(find, TYPING_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [context, query]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: observes the end again after each change of the count
  useEffect(() => {
    if (context === undefined || query !== '' || end.current === null) return;
    const load = () => void loadMoreChannels(context).catch(ignoreFailure);
    const options = { root: document, rootMargin: LOAD_AHEAD_MARGIN };
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && load(), options);
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [context, query, count]);
  return <div ref={end} />;
}
