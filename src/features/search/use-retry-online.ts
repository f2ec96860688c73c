import { useEffect } from 'react';
import { useServices } from '../../context/services.ts';
import type { SearchList } from '../../data/queries/search-types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';

/** Searches anew when a server can be reached again: what this device found is no beginning of what it will find. */
export function useBack(list: SearchList, isKept: boolean): void {
  const isOnline = useReadable(useServices().channels.connection) === 'online';
  useEffect(() => {
    if (isKept && isOnline) void list.again();
  }, [list, isKept, isOnline]);
}
