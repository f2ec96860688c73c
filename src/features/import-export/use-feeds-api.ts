import { useMemo } from 'react';
import type { FeedsApi } from '../../api/feeds-api.ts';
import { useServices } from '../../context/services.ts';

/** API client of external feeds; it loads with the first request. */
export function useFeeds(): FeedsApi {
  const { site } = useServices();
  return useMemo(() => {
    const load = async (): Promise<FeedsApi> => {
      if (site.feeds === undefined) throw new Error('A foreign page follows no feeds.');
      return site.feeds();
    };
    return {
      add: async (url) => (await load()).add(url),
      named: async (channelIds) => (await load()).named(channelIds),
    };
  }, [site]);
}
