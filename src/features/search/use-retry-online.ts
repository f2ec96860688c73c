import { useEffect } from 'react';
import { useServices } from '../../context/services.ts';
import type { SearchList } from '../../data/queries/search-types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';

/**
 * Retry online: searches again when a server can be reached, because the results of this device are not the first part of the
 * server's results.
 */
export function useBack(list: SearchList, isKept: boolean): void {
  const isOnline = useReadable(useServices().channels.connection) === 'online';
  useEffect(() => {
    if (isKept && isOnline) void list.again();
  }, [list, isKept, isOnline]);
}
