import type { Channel } from '../../contract/channel.ts';
import { channelPage, channel as parseChannel } from '../../contract/parse.ts';
import type { Client } from './types.ts';

/** The calls about feeds from elsewhere, which few readers make. */
export interface FeedsApi {
  /** Gives the channel of a feed's or a site's address, also of one that leads to a channel that is here. */
  add(url: string): Promise<Channel>;
  /** Of these channels from elsewhere those that are here. */
  named(channelIds: readonly string[]): Promise<readonly Channel[]>;
}

const FEEDS = '/api/feeds';
const CHANNELS = '/api/channels';

export function createFeedsApi(client: Client): FeedsApi {
  return {
    add: async (url) => parseChannel(await client.write('post', FEEDS, { url }, []), FEEDS),
    async named(channelIds) {
      const { items } = channelPage(await client.get(CHANNELS, { params: { also: channelIds.join() } }), CHANNELS);
      return items.filter(({ id }) => channelIds.includes(id));
    },
  };
}
