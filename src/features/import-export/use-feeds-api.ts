import { useMemo } from 'react';
import type { FeedsApi } from '../../api/feeds-api.ts';
import { useServices } from '../../context/services.ts';

/** API client of external feeds; it loads with the first request. */
export function useFeedsApi(): FeedsApi {
  const { environment } = useServices();
  return useMemo(() => {
    const load = async (): Promise<FeedsApi> => {
      if (environment.loadFeedsApi === undefined) throw new Error('A foreign page follows no feeds.');
      return environment.loadFeedsApi();
    };
    return {
      add: async (url) => (await load()).add(url),
      findExisting: async (channelIds) => (await load()).findExisting(channelIds),
    };
  }, [environment]);
}
