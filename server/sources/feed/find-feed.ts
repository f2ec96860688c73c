import { Parser } from 'htmlparser2';
import { webLink } from './safe-link.ts';

const TYPES = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/i;

/** Feeds stand in a page's head. */
const LOOKED_AT = 500_000;

const isComments = (title: string, href: string) => /comment|коммент/i.test(`${title} ${href}`);

/** Finds the feeds that a page says it has, those of its comments last. */
export function findFeeds(html: string, address: string): string[] {
  const found: { readonly href: string; readonly title: string }[] = [];
  let base = address;
  const parser = new Parser({
    onopentag(tag, { rel = '', type = '', href = '', title = '' }) {
      if (tag === 'base') base = webLink(href, address) ?? base;
      if (tag !== 'link' || !/(?:^|\s)alternate(?:\s|$)/i.test(rel) || !TYPES.test(type.trim())) return;
      const link = webLink(href, base);
      if (link !== null) found.push({ href: link, title });
    },
  });
  parser.end(html.slice(0, LOOKED_AT));
  const comments = found.filter(({ title, href }) => isComments(title, href));
  return [...new Set([...found.filter((each) => !comments.includes(each)), ...comments].map(({ href }) => href))];
}
