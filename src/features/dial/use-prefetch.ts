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
  const { dataClient: channels, environment: site } = useServices();
  const beside = NEIGHBOR_OFFSETS.map((by) => rows[(at + by + rows.length) % rows.length]?.channel.id);
  const near = at < 0 ? '' : [...new Set(beside)].join(' ');
  useEffect(() => {
    const releases = near
      .split(' ')
      .filter(Boolean)
      .map((id) => channels.latestPosts(id).subscribe(() => {}));
    return () => {
      for (const release of releases) release();
    };
  }, [channels, near]);
  const all = rows.map((row) => row.channel.id).join(' ');
  useEffect(() => {
    if (site.embedded || all === '') return;
    const stop = new AbortController();
    const begin = async () => {
      const { prefetchLatestPosts: readAhead } = await import('./prefetch.ts');
      await readAhead(channels, all.split(' '), stop.signal);
    };
    // If the chunk cannot be fetched now, the prefetch is skipped until the next time.
    const timer = setTimeout(() => void begin().catch(() => {}), PREFETCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [channels, site.embedded, all]);
}
