/** RSS parser: RSS 0.9x, 1.0 (RDF) and 2.0. */
import type { RdfFeed, RssFeed, SyNs } from 'feedsmith';
import { webLink } from '../../../lib/safe-url.ts';
import { type FeedItem, type FeedText, firstText, html, plain, type ReadFeed } from '../types.ts';
import { feedFile, mediaRssFiles, readDate } from './fields.ts';

const PERIODS: Readonly<Record<string, number>> = {
  hourly: 3600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};

/**
 * Update interval that a feed declares with the syndication module (web.resource.org/rss/1.0/modules/syndication), in seconds.
 */
export const periodOf = (sy: SyNs.Feed<string> | undefined): number | null => {
  const period = PERIODS[sy?.updatePeriod?.trim().toLowerCase() ?? ''];
  return period === undefined ? null : period / Math.max(1, sy?.updateFrequency ?? 1);
};

type Common = Pick<RssFeed.Item<string>, 'title' | 'description' | 'content' | 'dc' | 'dcterms' | 'atom' | 'media'>;

const contentOf = ({ content, description, media }: Common): FeedText | null => {
  const about = media?.description ?? media?.groups?.[0]?.description;
  return firstText(html(content?.encoded), html(description), about?.type === 'html' ? html(about.value) : plain(about?.value));
};

const dateOf = ({ dc, dcterms, atom }: Common, pubDate: string | undefined) =>
  readDate(pubDate ?? dc?.dates?.[0] ?? dcterms?.issued?.[0] ?? atom?.published ?? atom?.updated);

const updatedOf = ({ dcterms, atom }: Common) => readDate(atom?.updated ?? dcterms?.modified?.[0]);

const rssItem = (item: RssFeed.Item<string>, base: string): FeedItem => {
  const guid = item.guid?.value?.trim() || null;
  const permalink = item.guid?.isPermaLink === false || !guid?.startsWith('http') ? undefined : (guid ?? undefined);
  const duration = item.itunes?.duration;
  const enclosures = (item.enclosures ?? []).flatMap(({ url, type, length }) =>
    feedFile({ url, mime: type, size: length, duration }, base),
  );
  return {
    guid,
    link: webLink(item.link ?? permalink, base),
    title: html(item.title),
    content: firstText(contentOf(item), html(item.itunes?.summary)),
    date: dateOf(item, item.pubDate),
    updated: updatedOf(item),
    author: item.dc?.creators?.[0] ?? item.authors?.[0]?.name ?? item.itunes?.author ?? null,
    files: [...enclosures, ...mediaRssFiles(item.media, base)],
    base: item.xml?.base ?? webLink(item.link, base) ?? base,
  };
};

/** Parses RSS 0.9x and 2.0; `base` is the folder of the feed's URL, against which links are resolved. */
export const readRss = (feed: RssFeed.Feed<string>, base: string): ReadFeed => ({
  title: html(feed.title),
  about: firstText(html(feed.description), html(feed.itunes?.summary)),
  picture: webLink(feed.itunes?.image ?? feed.image?.url, base),
  everySeconds: feed.ttl ? feed.ttl * 60 : periodOf(feed.sy),
  items: (feed.items ?? []).map((item) => rssItem(item, webLink(feed.link, base) ?? base)),
});

const rdfItem = (item: RdfFeed.Item<string>, base: string): FeedItem => ({
  guid: item.rdf?.about?.trim() || null,
  link: webLink(item.link, base),
  title: html(item.title),
  content: contentOf(item),
  date: dateOf(item, undefined),
  updated: updatedOf(item),
  author: item.dc?.creators?.[0] ?? null,
  files: mediaRssFiles(item.media, base),
  base: webLink(item.link, base) ?? base,
});

/** Parses RSS 0.90 and 1.0, which are RDF. */
export const readRdf = (feed: RdfFeed.Feed<string>, base: string): ReadFeed => ({
  title: html(feed.title),
  about: html(feed.description),
  picture: webLink(feed.image?.url, base),
  everySeconds: periodOf(feed.sy),
  items: (feed.items ?? []).map((item) => rdfItem(item, webLink(feed.link, base) ?? base)),
});
