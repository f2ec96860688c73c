import { generateRssFeed, type RssFeed } from 'feedsmith';
import { escapeMarkup } from '../../lib/markup.ts';
import type { PublishedFile } from '../post-summary.ts';
import { FEED_MIME_TYPES, type FeedEntry, feedAddress, type PublishedFeedPage } from './feed.ts';

/** RSS serializer: writes a page of a feed as RSS 2.0. */
export function writeRss(feed: PublishedFeedPage): string {
  const { title, home, picture, entries, page, next } = feed;
  const self = feedAddress(feed, 'rss', page);
  const nextLinks = next === null ? [] : [link('next', feedAddress(feed, 'rss', { ...page, before: next }))];
  return generateRssFeed({
    title,
    link: home,
    // RSS readers interpret descriptions as HTML.
    description: escapeMarkup(feed.about || title),
    generator: 'Channel Changer',
    ...(entries.length > 0 && { lastBuildDate: feed.updated }),
    ...(picture !== null && { image: { url: picture, title, link: home } }),
    atom: { links: [link('self', self), ...nextLinks] },
    items: entries.map((entry) => toRssItem(entry, feed.id)),
  });
}

const link = (rel: string, href: string) => ({ rel, href, type: FEED_MIME_TYPES.rss });

function toRssItem(entry: FeedEntry, feedId: string): RssFeed.Item<Date> {
  const { source, files } = entry;
  const [firstFile] = files;
  return {
    title: entry.title,
    link: entry.url,
    guid: { value: entry.id, isPermaLink: false },
    pubDate: entry.published,
    content: { encoded: entry.html },
    dc: { creators: [entry.signature ?? entry.author.name] },
    // RSS has no element for the time of an edit; RSS readers support the element of Atom.
    atom: { updated: entry.updated },
    categories: entry.tags.map((name) => ({ name })),
    ...(source.id !== feedId && { source: { title: source.title, url: `${source.feed}.rss` } }),
    // RSS requires a length; readers accept 0 for an unknown one.
    ...(firstFile && { enclosures: [{ url: firstFile.url, type: firstFile.mime, length: firstFile.size ?? 0 }] }),
    ...(files.length > 0 && { media: { contents: files.map(toMediaContent) } }),
  };
}

const toMediaContent = ({ url, mime, medium, size, title, media }: PublishedFile) => ({
  url,
  type: mime,
  medium,
  ...(size !== null && { fileSize: size }),
  ...(media.width !== undefined && { width: media.width }),
  ...(media.height !== undefined && { height: media.height }),
  ...(media.duration !== undefined && { duration: Math.round(media.duration) }),
  ...(title !== null && { title: { value: title, type: 'plain' } }),
});
