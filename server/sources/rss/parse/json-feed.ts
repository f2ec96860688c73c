import type { JsonFeed } from 'feedsmith';
import { webLink } from '../../../lib/safe-url.ts';
import { type FeedItem, firstText, html, plain, type ReadFeed } from '../types.ts';
import { feedFile, readDate } from './fields.ts';

const jsonItem = (item: JsonFeed.Item<string>, base: string): FeedItem => {
  const link = webLink(item.url ?? item.external_url, base);
  const attachments = (item.attachments ?? []).flatMap(({ url, mime_type, size_in_bytes, duration_in_seconds }) =>
    feedFile({ url, mime: mime_type, size: size_in_bytes, duration: duration_in_seconds }, base),
  );
  return {
    guid: item.id?.trim() || null,
    link,
    title: plain(item.title),
    content: firstText(html(item.content_html), plain(item.content_text), plain(item.summary)),
    date: readDate(item.date_published ?? item.date_modified),
    updated: readDate(item.date_modified),
    author: item.authors?.[0]?.name ?? null,
    files: [...attachments, ...feedFile({ url: item.image ?? item.banner_image, medium: 'image' }, base)],
    base: link ?? base,
  };
};

/** Parses JSON Feed 1.0 and 1.1. */
export const readJson = (feed: JsonFeed.Feed<string>, base: string): ReadFeed => ({
  title: plain(feed.title),
  about: plain(feed.description),
  picture: webLink(feed.icon ?? feed.favicon, base),
  everySeconds: null,
  items: (feed.items ?? []).map((item) => jsonItem(item, webLink(feed.home_page_url, base) ?? base)),
});
