import type { JsonFeed } from 'feedsmith';
import { resolveWebLink } from '../../../lib/safe-url.ts';
import { type FeedItem, firstText, htmlTextOf, type ParsedFeed, plainTextOf } from '../types.ts';
import { parseFeedDate, parseFeedFile } from './fields.ts';

const jsonItem = (item: JsonFeed.Item<string>, base: string): FeedItem => {
  const link = resolveWebLink(item.url ?? item.external_url, base);
  const attachments = (item.attachments ?? []).flatMap(({ url, mime_type, size_in_bytes, duration_in_seconds }) =>
    parseFeedFile({ url, mime: mime_type, size: size_in_bytes, duration: duration_in_seconds }, base),
  );
  return {
    guid: item.id?.trim() || null,
    link,
    title: plainTextOf(item.title),
    content: firstText(htmlTextOf(item.content_html), plainTextOf(item.content_text), plainTextOf(item.summary)),
    date: parseFeedDate(item.date_published ?? item.date_modified),
    updated: parseFeedDate(item.date_modified),
    author: item.authors?.[0]?.name ?? null,
    files: [...attachments, ...parseFeedFile({ url: item.image ?? item.banner_image, medium: 'image' }, base)],
    base: link ?? base,
  };
};

/** JSON Feed parser: versions 1.0 and 1.1. `base` is the folder of the feed's URL, against which links are resolved. */
export const parseJsonFeedItems = (feed: JsonFeed.Feed<string>, base: string): ParsedFeed => ({
  title: plainTextOf(feed.title),
  about: plainTextOf(feed.description),
  picture: resolveWebLink(feed.icon ?? feed.favicon, base),
  everySeconds: null,
  items: (feed.items ?? []).map((item) => jsonItem(item, resolveWebLink(feed.home_page_url, base) ?? base)),
});
