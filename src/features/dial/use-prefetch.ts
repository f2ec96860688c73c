import { useEffect } from 'react';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';

/** Offsets of the neighbours whose posts stay subscribed. */
const NEIGHBOR_OFFSETS = [1, -1, 2, -2];
/** Delay before the prefetch starts, ms: the page has finished loading by then. */
const PREFETCH_DELAY_MS = 1500;

/**
 * Prefetches posts, so that a channel switch shows them without a delay, also offline. Loads the posts of the
 * neighbours now, and those of the other channels 1.5 s later. `activeIndex` is -1 if no channel is active.
 */
export function usePrefetch(rows: readonly LineupRow[], activeIndex: number): void {
  const { dataClient, environment } = useServices();
  const neighborIds = NEIGHBOR_OFFSETS.map((offset) => rows[(activeIndex + offset + rows.length) % rows.length]?.channel.id);
  // Joined, because a string with the same ids does not run the effect again.
  const nearIds = activeIndex < 0 ? '' : [...new Set(neighborIds)].join(' ');
  useEffect(() => {
    const unsubscribes = nearIds
      .split(' ')
      .filter(Boolean)
      .map((id) => dataClient.latestPosts(id).subscribe(() => {}));
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [dataClient, nearIds]);
  const allIds = rows.map((row) => row.channel.id).join(' ');
  useEffect(() => {
    if (environment.embedded || allIds === '') return;
    const controller = new AbortController();
    const start = async () => {
      const { prefetchLatestPosts } = await import('./prefetch.ts');
      await prefetchLatestPosts(dataClient, allIds.split(' '), controller.signal);
    };
    // If the chunk cannot be fetched now, the prefetch is skipped until the next time.
    const timer = setTimeout(() => void start().catch(() => {}), PREFETCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [dataClient, environment.embedded, allIds]);
}
