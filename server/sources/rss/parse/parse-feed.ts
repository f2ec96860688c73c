import { type AnyFeed, DetectError, parseFeed } from 'feedsmith';
import { FeedUnreadable, type ReadFeed } from '../types.ts';
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

// Of an object with a `length` feedsmith makes an array that long (parseArray in its common/utils), whatever is in it: ten
// characters of a feed took the process, since what V8 cannot hold ends all threads. So nothing of that name gets to it. It reads
// none: lengths of files are attributes, which it names `@length`.

/** Where an element's name may be `length`, in any case and behind any prefixes; text may read so too. */
const NAME = /(?<=[<:])l(?=ength[\s/>])/gi;

/** CDATA, where a reference is text, and else such a name. What is not closed reaches to the end: none is looked through twice. */
const CDATA_OR_NAME = new RegExp(`<!\\[CDATA\\[[^]*?(?:]]>|$)|${NAME.source}`, 'gi');

/** As text it is what it was; an element's name, whose references nobody resolves, is another. */
const reference = (letter: string): string => `&#${letter.charCodeAt(0)};`;

const inXml = (document: string): string =>
  document.replace(CDATA_OR_NAME, (found) =>
    // As text two sections are one. Where the parser sees no CDATA, this is no name either.
    found.startsWith('<') ? found.replace(NAME, ']]><![CDATA[$&') : reference(found),
  );

/** Gives a feed to hand to feedsmith: JSON read, and XML as it was but for names. */
export const withoutLengths = (document: string): unknown => {
  if (!/^\s*\{/.test(document)) return inXml(document);
  try {
    return JSON.parse(document, (name, value) => (name === 'length' ? undefined : value));
  } catch (error) {
    // JSON that is nested too deep is JSON all the same, and feedsmith would read it.
    if (!(error instanceof SyntaxError)) throw error;
    return inXml(document);
  }
};
