import { Parser } from 'htmlparser2';
import { webLink } from '../../lib/safe-url.ts';

const TYPES = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/i;

/** Feeds stand in a page's head: so many characters are looked at, in pieces. */
const LOOKED_AT = 200_000;
const PIECE = 4000;
/** Deeper than anything in a head. The parser takes the longer for each element the more are open. */
const MAX_DEPTH = 100;
const MOST_FOUND = 50;

const isComments = (title: string, href: string) => /comment|коммент/i.test(`${title} ${href}`);

/** Finds the feeds that a page says it has, those of its comments last. */
export function findFeeds(html: string, address: string): string[] {
  const found: { readonly href: string; readonly title: string }[] = [];
  let base = address;
  let depth = 0;
  const parser = new Parser({
    onclosetag: () => void depth--,
    onopentag(tag, { rel = '', type = '', href = '', title = '' }) {
      depth += 1;
      if (tag === 'base') base = webLink(href, address) ?? base;
      if (tag !== 'link' || !/(?:^|\s)alternate(?:\s|$)/i.test(rel) || !TYPES.test(type.trim())) return;
      const link = webLink(href, base);
      if (link !== null) found.push({ href: link, title });
    },
  });
  for (let at = 0; at < Math.min(html.length, LOOKED_AT) && depth < MAX_DEPTH && found.length < MOST_FOUND; at += PIECE)
    parser.write(html.slice(at, at + PIECE));
  const comments = found.filter(({ title, href }) => isComments(title, href));
  return [...new Set([...found.filter((each) => !comments.includes(each)), ...comments].map(({ href }) => href))];
}
