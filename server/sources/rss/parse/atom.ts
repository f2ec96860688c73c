/** Atom parser: Atom 0.3 and 1.0. */
import type { AtomFeed } from 'feedsmith';
import { resolveWebLink } from '../../../lib/safe-url.ts';
import { type FeedItem, type FeedText, firstText, htmlTextOf, type ParsedFeed, plainTextOf } from '../types.ts';
import { parseFeedDate, parseFeedFile, parseMediaRssFiles } from './fields.ts';
import { declaredIntervalSeconds } from './rss.ts';

type Link = AtomFeed.Link<string>;

const textOf = (text: AtomFeed.Content | undefined): FeedText | null =>
  /html/i.test(text?.type ?? '') ? htmlTextOf(text?.value) : plainTextOf(text?.value);

const isPageLink = ({ rel = 'alternate', type = 'text/html' }: Link) => rel === 'alternate' && /html/.test(type);

const linkOf = (links: readonly Link[], base: string): string | null =>
  resolveWebLink((links.find(isPageLink) ?? links.find(({ rel = 'alternate' }) => rel === 'alternate'))?.href, base);

/** Returns the base URL of an element by its `xml:base`, else that of its parent. */
const baseOf = (xmlBase: string | undefined, parentBase: string): string => resolveWebLink(xmlBase, parentBase) ?? parentBase;

const atomItem = (entry: AtomFeed.Entry<string>, feedBase: string): FeedItem => {
  const base = baseOf(entry.xml?.base, feedBase);
  const links = entry.links ?? [];
  const mediaDescription = entry.media?.description ?? entry.media?.groups?.[0]?.description;
  const enclosures = links
    .filter(({ rel }) => rel === 'enclosure')
    .flatMap(({ href, type, length }) => parseFeedFile({ url: href, mime: type, size: length }, base));
  const link = linkOf(links, base);
  const contentBase = entry.content?.xml?.base;
  // Without `xml:base`, links in the content are relative to the page of the entry.
  const entryBase = entry.xml?.base ? base : (link ?? base);
  return {
    guid: entry.id?.trim() || null,
    link,
    title: textOf(entry.title),
    content: firstText(textOf(entry.content), textOf(entry.summary), plainTextOf(mediaDescription?.value)),
    date: parseFeedDate(entry.published ?? entry.dc?.dates?.[0] ?? entry.updated),
    updated: parseFeedDate(entry.updated),
    author: entry.authors?.[0]?.name ?? entry.dc?.creators?.[0] ?? null,
    files: [...enclosures, ...parseMediaRssFiles(entry.media, base)],
    base: contentBase ? baseOf(contentBase, base) : entryBase,
  };
};

/** Parses Atom 0.3 and 1.0; `address` is the folder of the feed's URL, against which links are resolved. */
export const parseAtom = (feed: AtomFeed.Feed<string>, address: string): ParsedFeed => {
  const base = baseOf(feed.xml?.base, address);
  return {
    title: textOf(feed.title),
    about: textOf(feed.subtitle),
    picture: resolveWebLink(feed.icon ?? feed.logo, base),
    everySeconds: declaredIntervalSeconds(feed.sy),
    items: (feed.entries ?? []).map((entry) => atomItem(entry, base)),
  };
};
