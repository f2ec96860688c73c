import { generateJsonFeed, type JsonFeed } from 'feedsmith';
import { type FeedEntry, feedAddress, type PublishedFeedPage } from './feed.ts';

/** JSON Feed serializer: writes a page of a feed as JSON Feed 1.1. */
export function writeJsonFeed(feed: PublishedFeedPage): string {
  const { title, about, home, picture, page, next } = feed;
  const json = generateJsonFeed({
    title,
    home_page_url: home,
    feed_url: feedAddress(feed, 'json', page),
    ...(about !== '' && { description: about }),
    ...(picture !== null && { icon: picture }),
    ...(next !== null && { next_url: feedAddress(feed, 'json', { ...page, before: next }) }),
    items: feed.entries.map(toJsonFeedItem),
  });
  // The generator omits an empty list, but the format requires it.
  return JSON.stringify(feed.entries.length === 0 ? { ...Object(json), items: [] } : json);
}

const toJsonFeedItem = (entry: FeedEntry): JsonFeed.Item<Date> => ({
  id: entry.id,
  url: entry.url,
  title: entry.title,
  content_html: entry.html,
  date_published: entry.published,
  date_modified: entry.updated,
  authors: [...(entry.signature === null ? [] : [{ name: entry.signature }]), entry.author],
  ...(entry.image !== null && { image: entry.image }),
  ...(entry.tags.length > 0 && { tags: [...entry.tags] }),
  ...(entry.files.length > 0 && {
    attachments: entry.files.map(({ url, mime, size, title, media }) => ({
      ...{ url, mime_type: mime },
      ...(size !== null && { size_in_bytes: size }),
      ...(title !== null && { title }),
      ...(media.duration !== undefined && { duration_in_seconds: media.duration }),
    })),
  }),
});
