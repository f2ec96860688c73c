import { generateOpml } from 'feedsmith';
import type { Channel } from '../../../contract/channel.ts';
import { rssPath } from '../../../contract/published.ts';
import { sanitizeLine } from '../../lib/markup.ts';
import { channelAddress } from '../site.ts';

/** Serializes the feeds of all channels as OPML 2.0, for import into a feed reader. */
export const writeNetworkOpml = (channels: readonly Channel[], site: string, origin: string): string =>
  generateOpml({
    head: { title: site },
    // The group is present even if it is empty: OPML requires one outline.
    body: { outlines: [{ text: site, title: site, outlines: channels.map((channel) => outlineOf(channel, origin)) }] },
  });

const outlineOf = (channel: Channel, origin: string) => {
  const title = sanitizeLine(channel.title);
  return {
    ...{ text: title, title, type: 'rss', htmlUrl: channelAddress(origin, channel) },
    xmlUrl: origin + rssPath(channel),
    ...(channel.about !== undefined && { description: sanitizeLine(channel.about) }),
  };
};
