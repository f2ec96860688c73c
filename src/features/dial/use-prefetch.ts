import { useEffect } from 'react';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';

/** Held while the dial stands so near to them. */
const NEAR = [1, -1, 2, -2];
/** The page has come to rest by then, ms. */
const REST = 1500;

/** Reads posts ahead, so that a flip shows them at once, offline too: the neighbours' now, the others' when nothing else happens. */
export function useReadAhead(rows: readonly LineupRow[], at: number): void {
  const { channels, site } = useServices();
  const beside = NEAR.map((by) => rows[(at + by + rows.length) % rows.length]?.channel.id);
  const near = at < 0 ? '' : [...new Set(beside)].join(' ');
  useEffect(() => {
    const releases = near
      .split(' ')
      .filter(Boolean)
      .map((id) => channels.latest(id).subscribe(() => {}));
    return () => {
      for (const release of releases) release();
    };
  }, [channels, near]);
  const all = rows.map((row) => row.channel.id).join(' ');
  useEffect(() => {
    if (site.embedded || all === '') return;
    const stop = new AbortController();
    const begin = async () => {
      const { readAhead } = await import('./prefetch.ts');
      await readAhead(channels, all.split(' '), stop.signal);
    };
    // It will be there another time where it cannot be fetched now.
    const timer = setTimeout(() => void begin().catch(() => {}), REST);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [channels, site.embedded, all]);
}
