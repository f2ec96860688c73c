/** What XML has no place for: control characters, halves of pairs, and code points that are no characters. */
const UNFIT = /[^\P{Cc}\t\n\r]|\p{Cs}|\p{NChar}/gu;

/** Turns the direction of what stands around a text too, where no element ends it. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** The longest that a character of several code points is taken for; what goes on after that was put together to do harm. */
const LONGEST = 32;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Gives a text without what XML has no place for; it stays as long as it was. */
export const clean = (text: string): string => text.replace(UNFIT, '\ufffd');

/** Gives a text on one line, that leaves what stands around it alone. */
export const oneLine = (text: string): string => clean(text).replace(TURNS, '').replace(/\s+/gu, ' ').trim();

/** Cuts a line to so many characters as people count them, after a word where one ends in its last third. */
export function cut(line: string, most: number): string {
  let end = 0;
  let count = 0;
  for (const { index, segment } of graphemes.segment(line.slice(0, (most + 1) * LONGEST))) {
    if (count++ === most) {
      const whole = line.slice(0, end);
      const space = whole.lastIndexOf(' ');
      return `${space > (end * 2) / 3 ? whole.slice(0, space) : whole}…`;
    }
    end = index + segment.length;
  }
  return end < line.length ? `${clean(line.slice(0, end))}…` : line;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Makes text of a text, in HTML and in XML, also within an attribute. */
export const escapeMarkup = (text: string): string => clean(text).replace(/[&<>"']/g, (each) => ESCAPES[each] ?? each);

/** Writes the attributes of an element; those without a value are left out. */
export const attributes = (given: Readonly<Record<string, string | number | null | undefined>>): string =>
  Object.entries(given)
    .map(([name, value]) => (value === null || value === undefined ? '' : ` ${name}="${escapeMarkup(String(value))}"`))
    .join('');
