import { useEffect } from 'react';
import type { SearchList } from '../../channels/search-types.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';

/** Searches anew when a server can be reached again: what this device found is no beginning of what it will find. */
export function useBack(list: SearchList, isKept: boolean): void {
  const isOnline = useReadable(useServices().channels.connection) === 'online';
  useEffect(() => {
    if (isKept && isOnline) void list.again();
  }, [list, isKept, isOnline]);
}
