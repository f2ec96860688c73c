import { generateOpml } from 'feedsmith';
import type { Channel } from '../../../contract/channel.ts';
import { rssPath } from '../../../contract/published.ts';
import { sanitizeLine } from '../../lib/markup.ts';
import { channelAddress } from '../site.ts';

/** OPML serializer: writes the feeds of all channels as OPML 2.0, for import into a feed reader. */
export const writeNetworkOpml = (channels: readonly Channel[], siteName: string, origin: string): string =>
  generateOpml({
    head: { title: siteName },
    // The group is present even if it is empty: OPML requires one outline.
    body: { outlines: [{ text: siteName, title: siteName, outlines: channels.map((channel) => toOutline(channel, origin)) }] },
  });

const toOutline = (channel: Channel, origin: string) => {
  const title = sanitizeLine(channel.title);
  return {
    ...{ text: title, title, type: 'rss', htmlUrl: channelAddress(origin, channel) },
    xmlUrl: origin + rssPath(channel),
    ...(channel.about !== undefined && { description: sanitizeLine(channel.about) }),
  };
};
