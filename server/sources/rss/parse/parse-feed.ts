import { type AnyFeed, DetectError, parseFeed } from 'feedsmith';
import { FeedUnreadable } from '../../feed/feed-unreadable.ts';
import { withoutLengths } from '../../feed/without-lengths.ts';
import type { ReadFeed } from '../types.ts';
import { readAtom } from './atom.ts';
import { readJson } from './json-feed.ts';
import { readRdf, readRss } from './rss.ts';

/** More than any feed lists for its readers; archives of everything are cut to their newest. */
const MOST_ITEMS = 500;

const parsed = (document: string): AnyFeed => {
  if (document.trim() === '') throw new FeedUnreadable('empty', 'The answer is empty where a feed should be.');
  try {
    return parseFeed(withoutLengths(document), { maxItems: MOST_ITEMS });
  } catch (error) {
    if (!(error instanceof DetectError))
      throw new FeedUnreadable('broken', 'The feed is broken and cannot be read.', { cause: error });
    throw new FeedUnreadable('no-feed', 'This is no RSS, Atom or JSON feed.', { cause: error });
  }
};

/** More than a post shows; what a feed names beyond them would have to cross from the thread that reads it. */
const MOST_FILES = 50;

const withinBounds = (feed: ReadFeed): ReadFeed => ({
  ...feed,
  items: feed.items.map((item) => ({ ...item, files: item.files.slice(0, MOST_FILES) })),
});

/** Reads RSS, Atom, RDF or JSON Feed, told apart by what is in it; `address` is its own, whose folder links resolve against. */
export const readFeed = (document: string, address: string): ReadFeed => withinBounds(readAny(document, address));

function readAny(document: string, address: string): ReadFeed {
  const { format, feed } = parsed(document);
  // Not the address itself: its name or query may hold somebody's key, which a link as `#note` would tell everyone.
  const base = new URL('.', address).href;
  if (format === 'rss') return readRss(feed, base);
  if (format === 'rdf') return readRdf(feed, base);
  return format === 'atom' ? readAtom(feed, base) : readJson(feed, base);
}
