import type { Channel } from '../../contract/channel.ts';
import { pagedChannels, channel as parseChannel } from '../../contract/parse.ts';
import type { HttpClient } from './types.ts';

/** API of reader-added feeds. A separate module, because few readers use it. */
export interface FeedsApi {
  /**
   * Adds a feed and returns its channel. The URL may be that of a feed or of a site. If the feed was added before,
   * returns the existing channel.
   */
  add(url: string): Promise<Channel>;
  /** Returns the channels with these ids. Leaves out ids that the server does not have. */
  findExisting(channelIds: readonly string[]): Promise<readonly Channel[]>;
}

const FEEDS = '/api/feeds';
const CHANNELS = '/api/channels';

export function createFeedsApi(client: HttpClient): FeedsApi {
  return {
    add: async (url) => parseChannel(await client.write('post', FEEDS, { url }, []), FEEDS),
    async findExisting(channelIds) {
      const { items } = pagedChannels(await client.get(CHANNELS, { params: { ids: channelIds.join() } }), CHANNELS);
      return items.filter(({ id }) => channelIds.includes(id));
    },
  };
}
