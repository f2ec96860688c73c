import type { Channel } from '../../../contract/channel.ts';
import type { FeedsApi } from '../../../src/api/feeds-api.ts';
import { channel, type StubServices, stubServices } from './dial-services.ts';

/** Returns a reader-added channel, as the server creates it from an address. */
export const feedChannel = (id: string, title: string): Channel => {
  const { username: _, ...fields } = channel(id, title);
  return { ...fields, source: 'feed', demo: false, elsewhere: true };
};

export interface ExchangeStub extends StubServices {
  /** The requested addresses, in order. */
  readonly requestedUrls: string[];
}

/**
 * Creates services of the dial with a server that creates channels from addresses. The errors in `thrown` for an address are
 * thrown first, in order.
 */
export function exchangeServices(
  options: Parameters<typeof stubServices>[0] = {},
  {
    thrown = {} as Readonly<Record<string, readonly unknown[]>>,
    named = (async () => []) as FeedsApi['findExisting'],
    before = async (_: string): Promise<unknown> => undefined,
  } = {},
): ExchangeStub {
  const services = stubServices(options);
  const requestedUrls: string[] = [];
  const pendingErrors = new Map(Object.entries(thrown).map(([address, errors]) => [address, [...errors]]));
  const feeds: FeedsApi = {
    async add(url) {
      requestedUrls.push(url);
      await before(url);
      const error = pendingErrors.get(url)?.shift();
      if (error !== undefined) throw error;
      return feedChannel(feedId(url), new URL(url).hostname);
    },
    findExisting: named,
  };
  return { ...services, requestedUrls, environment: { ...services.environment, loadFeedsApi: async () => feeds } };
}

/** Returns the same id for the same address, in the format of the ids of the server. */
export function feedId(url: string): string {
  let hash = 7n;
  for (const character of url) hash = (hash * 31n + BigInt(character.charCodeAt(0))) % 2n ** 64n;
  return `f-${hash.toString(16).padStart(16, '0')}`;
}
