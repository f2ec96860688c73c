/** Markup escaping: texts and attributes for HTML and XML, and lines without characters that affect other text. */

/** Characters that XML does not allow: control characters, lone surrogates and noncharacters. */
const INVALID_XML_CHARACTERS = /[^\P{Cc}\t\n\r]|\p{Cs}|\p{NChar}/gu;

/** Bidirectional control characters: they also change the direction of the surrounding text if no element ends them. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Maximum length of a grapheme, in code units. A longer one is an attack. */
const MAX_GRAPHEME_LENGTH = 32;

const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Replaces the characters that XML does not allow. The length of the text does not change. */
export const replaceInvalidXml = (text: string): string => text.replace(INVALID_XML_CHARACTERS, '\ufffd');

/** Returns the text on one line, without characters that affect the surrounding text. */
export const sanitizeLine = (text: string): string =>
  replaceInvalidXml(text).replace(BIDI_CONTROLS, '').replace(/\s+/gu, ' ').trim();

/** Truncates a line to `maxLength` graphemes, after a word if one ends in the last third. */
export function truncateLine(line: string, maxLength: number): string {
  let end = 0;
  let count = 0;
  for (const { index, segment } of graphemeSegmenter.segment(line.slice(0, (maxLength + 1) * MAX_GRAPHEME_LENGTH))) {
    if (count++ === maxLength) {
      const truncated = line.slice(0, end);
      const lastSpace = truncated.lastIndexOf(' ');
      return `${lastSpace > (end * 2) / 3 ? truncated.slice(0, lastSpace) : truncated}…`;
    }
    end = index + segment.length;
  }
  return end < line.length ? `${replaceInvalidXml(line.slice(0, end))}…` : line;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML and XML, also inside an attribute. */
export const escapeMarkup = (text: string): string =>
  replaceInvalidXml(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** Serializes the attributes of an element. Attributes without a value are omitted. */
export const formatAttributes = (attributes: Readonly<Record<string, string | number | null | undefined>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => (value === null || value === undefined ? '' : ` ${name}="${escapeMarkup(String(value))}"`))
    .join('');
