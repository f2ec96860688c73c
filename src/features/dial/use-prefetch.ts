import { useEffect } from 'react';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';

/** Offsets of the neighbours whose posts stay subscribed. */
const NEIGHBOR_OFFSETS = [1, -1, 2, -2];
/** Delay before the prefetch starts, ms: the page has finished loading by then. */
const PREFETCH_DELAY_MS = 1500;

/**
 * Prefetches posts, so that a channel switch shows them at once, also offline: the neighbours' posts now, the others' when the
 * page is idle.
 */
export function usePrefetch(rows: readonly LineupRow[], at: number): void {
  const { dataClient, environment } = useServices();
  const neighborIds = NEIGHBOR_OFFSETS.map((by) => rows[(at + by + rows.length) % rows.length]?.channel.id);
  const nearIds = at < 0 ? '' : [...new Set(neighborIds)].join(' ');
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
