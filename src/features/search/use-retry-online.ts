import { useEffect } from 'react';
import { useServices } from '../../context/services.ts';
import type { SearchList } from '../../data/queries/search-types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';

/**
 * Retry online: searches again when a server can be reached, because the cached results are not the first page of the
 * server's results.
 */
export function useRetryOnline(list: SearchList, isCached: boolean): void {
  const isOnline = useSignalValue(useServices().dataClient.connectivity) === 'online';
  useEffect(() => {
    if (isCached && isOnline) void list.reset();
  }, [list, isCached, isOnline]);
}
