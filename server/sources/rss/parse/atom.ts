import type { AtomFeed } from 'feedsmith';
import { resolveWebLink } from '../../../lib/safe-url.ts';
import { type FeedItem, type FeedText, firstText, htmlTextOf, type ParsedFeed, plainTextOf } from '../types.ts';
import { parseFeedDate, parseFeedFile, parseMediaRssFiles } from './fields.ts';
import { periodOf } from './rss.ts';

type Link = AtomFeed.Link<string>;

const textOf = (text: AtomFeed.Content | undefined): FeedText | null =>
  /html/i.test(text?.type ?? '') ? htmlTextOf(text?.value) : plainTextOf(text?.value);

const isPage = ({ rel = 'alternate', type = 'text/html' }: Link) => rel === 'alternate' && /html/.test(type);

const linkOf = (links: readonly Link[], base: string): string | null =>
  resolveWebLink((links.find(isPage) ?? links.find(({ rel = 'alternate' }) => rel === 'alternate'))?.href, base);

const baseOf = (base: string | undefined, outer: string): string => resolveWebLink(base, outer) ?? outer;

const atomItem = (entry: AtomFeed.Entry<string>, outer: string): FeedItem => {
  const base = baseOf(entry.xml?.base, outer);
  const links = entry.links ?? [];
  const about = entry.media?.description ?? entry.media?.groups?.[0]?.description;
  const enclosures = links
    .filter(({ rel }) => rel === 'enclosure')
    .flatMap(({ href, type, length }) => parseFeedFile({ url: href, mime: type, size: length }, base));
  const link = linkOf(links, base);
  return {
    guid: entry.id?.trim() || null,
    link,
    title: textOf(entry.title),
    content: firstText(textOf(entry.content), textOf(entry.summary), plainTextOf(about?.value)),
    date: parseFeedDate(entry.published ?? entry.dc?.dates?.[0] ?? entry.updated),
    updated: parseFeedDate(entry.updated),
    author: entry.authors?.[0]?.name ?? entry.dc?.creators?.[0] ?? null,
    files: [...enclosures, ...parseMediaRssFiles(entry.media, base)],
    base: entry.content?.xml?.base ? baseOf(entry.content.xml.base, base) : entry.xml?.base ? base : (link ?? base),
  };
};

/** Parses Atom 0.3 and 1.0; `address` is the folder of the feed's URL, against which links are resolved. */
export const parseAtom = (feed: AtomFeed.Feed<string>, address: string): ParsedFeed => {
  const base = baseOf(feed.xml?.base, address);
  return {
    title: textOf(feed.title),
    about: textOf(feed.subtitle),
    picture: resolveWebLink(feed.icon ?? feed.logo, base),
    everySeconds: periodOf(feed.sy),
    items: (feed.entries ?? []).map((entry) => atomItem(entry, base)),
  };
};
