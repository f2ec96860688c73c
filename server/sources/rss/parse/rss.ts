/** RSS parser: RSS 0.9x, 1.0 (RDF) and 2.0. */
import type { RdfFeed, RssFeed, SyNs } from 'feedsmith';
import { resolveWebLink } from '../../../lib/safe-url.ts';
import { type FeedItem, type FeedText, firstText, htmlTextOf, type ParsedFeed, plainTextOf } from '../types.ts';
import { parseFeedDate, parseFeedFile, parseMediaRssFiles } from './fields.ts';

const PERIOD_SECONDS: Readonly<Record<string, number>> = {
  hourly: 3600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};

/**
 * Update interval that a feed declares with the syndication module (web.resource.org/rss/1.0/modules/syndication), in
 * seconds.
 */
export const declaredIntervalSeconds = (sy: SyNs.Feed<string> | undefined): number | null => {
  const period = PERIOD_SECONDS[sy?.updatePeriod?.trim().toLowerCase() ?? ''];
  return period === undefined ? null : period / Math.max(1, sy?.updateFrequency ?? 1);
};

type CommonItemFields = Pick<RssFeed.Item<string>, 'title' | 'description' | 'content' | 'dc' | 'dcterms' | 'atom' | 'media'>;

const contentOf = ({ content, description, media }: CommonItemFields): FeedText | null => {
  const mediaDescription = media?.description ?? media?.groups?.[0]?.description;
  return firstText(
    htmlTextOf(content?.encoded),
    htmlTextOf(description),
    mediaDescription?.type === 'html' ? htmlTextOf(mediaDescription.value) : plainTextOf(mediaDescription?.value),
  );
};

const dateOf = ({ dc, dcterms, atom }: CommonItemFields, pubDate: string | undefined) =>
  parseFeedDate(pubDate ?? dc?.dates?.[0] ?? dcterms?.issued?.[0] ?? atom?.published ?? atom?.updated);

const updatedOf = ({ dcterms, atom }: CommonItemFields) => parseFeedDate(atom?.updated ?? dcterms?.modified?.[0]);

const rssItem = (item: RssFeed.Item<string>, base: string): FeedItem => {
  const guid = item.guid?.value?.trim() || null;
  const permalink = item.guid?.isPermaLink === false || !guid?.startsWith('http') ? undefined : (guid ?? undefined);
  const duration = item.itunes?.duration;
  const enclosures = (item.enclosures ?? []).flatMap(({ url, type, length }) =>
    parseFeedFile({ url, mime: type, size: length, duration }, base),
  );
  return {
    guid,
    link: resolveWebLink(item.link ?? permalink, base),
    title: htmlTextOf(item.title),
    content: firstText(contentOf(item), htmlTextOf(item.itunes?.summary)),
    date: dateOf(item, item.pubDate),
    updated: updatedOf(item),
    author: item.dc?.creators?.[0] ?? item.authors?.[0]?.name ?? item.itunes?.author ?? null,
    files: [...enclosures, ...parseMediaRssFiles(item.media, base)],
    base: resolveWebLink(item.xml?.base, base) ?? resolveWebLink(item.link, base) ?? base,
  };
};

/** Parses RSS 0.9x and 2.0; `base` is the folder of the feed's URL, against which links are resolved. */
export const parseRss = (feed: RssFeed.Feed<string>, base: string): ParsedFeed => ({
  title: htmlTextOf(feed.title),
  about: firstText(htmlTextOf(feed.description), htmlTextOf(feed.itunes?.summary)),
  picture: resolveWebLink(feed.itunes?.image ?? feed.image?.url, base),
  everySeconds: feed.ttl ? feed.ttl * 60 : declaredIntervalSeconds(feed.sy),
  items: (feed.items ?? []).map((item) => rssItem(item, resolveWebLink(feed.link, base) ?? base)),
});

const rdfItem = (item: RdfFeed.Item<string>, base: string): FeedItem => ({
  guid: item.rdf?.about?.trim() || null,
  link: resolveWebLink(item.link, base),
  title: htmlTextOf(item.title),
  content: contentOf(item),
  date: dateOf(item, undefined),
  updated: updatedOf(item),
  author: item.dc?.creators?.[0] ?? null,
  files: parseMediaRssFiles(item.media, base),
  base: resolveWebLink(item.link, base) ?? base,
});

/** Parses RSS 0.90 and 1.0, which are RDF. */
export const parseRdf = (feed: RdfFeed.Feed<string>, base: string): ParsedFeed => ({
  title: htmlTextOf(feed.title),
  about: htmlTextOf(feed.description),
  picture: resolveWebLink(feed.image?.url, base),
  everySeconds: declaredIntervalSeconds(feed.sy),
  items: (feed.items ?? []).map((item) => rdfItem(item, resolveWebLink(feed.link, base) ?? base)),
});
