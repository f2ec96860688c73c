// Plain text of a post, for every use that cannot reveal spoilers on click: titles, cards, alternative texts, shared
// text, feeds.

import type { FormattedText } from './extra.ts';
import { toTextRuns } from './runs.ts';

/** Replaces each spoiler. Its length does not depend on the hidden text. */
export const SPOILER_MASK = '▒▒▒';

/** Returns a text without its entities. Each run of overlapping or adjacent spoilers becomes one mask. */
export function plainText({ text, entities }: FormattedText, mask = SPOILER_MASK): string {
  const spoilers = toTextRuns(
    text,
    entities.filter(({ type }) => type === 'spoiler'),
  );
  let result = '';
  let position = 0;
  for (const { start, end } of spoilers) {
    if (position === 0 || start > position) result += text.slice(position, start) + mask;
    position = Math.max(position, end);
  }
  return result + text.slice(position);
}

/** Returns the first line of a text that is not blank, or '' if there is none. */
export const firstLine = (formattedText: FormattedText): string => /\S.*/.exec(plainText(formattedText))?.[0].trimEnd() ?? '';
