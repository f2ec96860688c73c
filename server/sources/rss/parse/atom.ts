import type { AtomFeed } from 'feedsmith';
import { webLink } from '../../../lib/safe-url.ts';
import { type FeedItem, type FeedText, firstText, html, plain, type ReadFeed } from '../types.ts';
import { feedFile, mediaRssFiles, readDate } from './fields.ts';
import { periodOf } from './rss.ts';

type Link = AtomFeed.Link<string>;

const textOf = (text: AtomFeed.Content | undefined): FeedText | null =>
  /html/i.test(text?.type ?? '') ? html(text?.value) : plain(text?.value);

const isPage = ({ rel = 'alternate', type = 'text/html' }: Link) => rel === 'alternate' && /html/.test(type);

const linkOf = (links: readonly Link[], base: string): string | null =>
  webLink((links.find(isPage) ?? links.find(({ rel = 'alternate' }) => rel === 'alternate'))?.href, base);

const baseOf = (base: string | undefined, outer: string): string => webLink(base, outer) ?? outer;

const atomItem = (entry: AtomFeed.Entry<string>, outer: string): FeedItem => {
  const base = baseOf(entry.xml?.base, outer);
  const links = entry.links ?? [];
  const about = entry.media?.description ?? entry.media?.groups?.[0]?.description;
  const enclosures = links
    .filter(({ rel }) => rel === 'enclosure')
    .flatMap(({ href, type, length }) => feedFile({ url: href, mime: type, size: length }, base));
  const link = linkOf(links, base);
  return {
    guid: entry.id?.trim() || null,
    link,
    title: textOf(entry.title),
    content: firstText(textOf(entry.content), textOf(entry.summary), plain(about?.value)),
    date: readDate(entry.published ?? entry.dc?.dates?.[0] ?? entry.updated),
    updated: readDate(entry.updated),
    author: entry.authors?.[0]?.name ?? entry.dc?.creators?.[0] ?? null,
    files: [...enclosures, ...mediaRssFiles(entry.media, base)],
    base: entry.content?.xml?.base ? baseOf(entry.content.xml.base, base) : entry.xml?.base ? base : (link ?? base),
  };
};

/** Parses Atom 0.3 and 1.0; `address` is the folder of the feed's URL, against which links are resolved. */
export const readAtom = (feed: AtomFeed.Feed<string>, address: string): ReadFeed => {
  const base = baseOf(feed.xml?.base, address);
  return {
    title: textOf(feed.title),
    about: textOf(feed.subtitle),
    picture: webLink(feed.icon ?? feed.logo, base),
    everySeconds: periodOf(feed.sy),
    items: (feed.entries ?? []).map((entry) => atomItem(entry, base)),
  };
};
