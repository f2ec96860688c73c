/** Feed parser: detects the format (RSS, Atom, RDF or JSON Feed) and parses the document. */
import { type AnyFeed, DetectError, parseFeed } from 'feedsmith';
import { FeedError, type ParsedFeed } from '../types.ts';
import { parseAtom } from './atom.ts';
import { parseJsonFeedItems } from './json-feed.ts';
import { parseRdf, parseRss } from './rss.ts';

/** Maximum number of items. Ordinary feeds list fewer; complete archives are cut to their newest items. */
const MAX_FEED_ITEMS = 500;

const parseAnyFormat = (document: string): AnyFeed => {
  if (document.trim() === '') throw new FeedError('empty', 'The response is empty.');
  try {
    return parseFeed(removeLengthNames(document), { maxItems: MAX_FEED_ITEMS });
  } catch (error) {
    if (!(error instanceof DetectError))
      throw new FeedError('broken', 'The feed is malformed and could not be parsed.', { cause: error });
    throw new FeedError('no-feed', 'This is not an RSS, Atom or JSON feed.', { cause: error });
  }
};

/** Maximum number of files of an item: more than a post shows. All files have to be copied from the parser's thread. */
const MAX_ITEM_FILES = 50;

const limitFiles = (feed: ParsedFeed): ParsedFeed => ({
  ...feed,
  items: feed.items.map((item) => ({ ...item, files: item.files.slice(0, MAX_ITEM_FILES) })),
});

/**
 * Parses RSS, Atom, RDF or JSON Feed; the content determines the format. `address` is the document's own URL, whose
 * folder is the base for links.
 */
export const parseFeedDocument = (document: string, address: string): ParsedFeed => limitFiles(parseByFormat(document, address));

function parseByFormat(document: string, address: string): ParsedFeed {
  const { format, feed } = parseAnyFormat(document);
  // The base is not the URL itself: its file name or query may contain a secret key, which a link such as `#note` would
  // reveal to every reader.
  const base = new URL('.', address).href;
  if (format === 'rss') return parseRss(feed, base);
  if (format === 'rdf') return parseRdf(feed, base);
  return format === 'atom' ? parseAtom(feed, base) : parseJsonFeedItems(feed, base);
}

// For an object with a `length` property, feedsmith creates an array of that length (parseArray in its common/utils),
// whatever the object contains. Ten characters of a feed could end the process, because an array that exceeds V8's
// memory ends all threads. So no property of that name reaches feedsmith. It uses none itself: file lengths are
// attributes, which it names `@length`.

/** Position where an element's name may be `length`, in any case and after any prefixes. Text may match too. */
const LENGTH_NAME = /(?<=[<:])l(?=ength[\s/>])/gi;

/**
 * A CDATA section, where a character reference is plain text, or such a name outside of CDATA. An unclosed section
 * reaches to the end, so no part of the document is scanned twice.
 */
const CDATA_OR_LENGTH_NAME = new RegExp(`<!\\[CDATA\\[[^]*?(?:]]>|$)|${LENGTH_NAME.source}`, 'gi');

/**
 * Returns a character reference for a letter. In text it decodes to the same letter. In an element's name it is not
 * decoded, so the name becomes another one.
 */
const characterReference = (letter: string): string => `&#${letter.charCodeAt(0)};`;

const escapeLengthNames = (document: string): string =>
  document.replace(CDATA_OR_LENGTH_NAME, (found) =>
    // In text, two CDATA sections are equal to one. If the parser does not see CDATA here, the result is not an
    // element's name either.
    found.startsWith('<') ? found.replace(LENGTH_NAME, ']]><![CDATA[$&') : characterReference(found),
  );

/** Returns the input for feedsmith without `length` names: parsed JSON, or XML that is otherwise unchanged. */
const removeLengthNames = (document: string): unknown => {
  if (!/^\s*\{/.test(document)) return escapeLengthNames(document);
  try {
    return JSON.parse(document, (name, value) => (name === 'length' ? undefined : value));
  } catch (error) {
    // The error is not a SyntaxError if the JSON is nested too deep. It is still JSON, and feedsmith would parse it.
    if (!(error instanceof SyntaxError)) throw error;
    return escapeLengthNames(document);
  }
};
