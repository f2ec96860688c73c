import type { Words } from '../contract/extra.ts';

/** Stands for words that a reader has to ask for. */
export const COVER = '▒▒▒';

/** Gives the words of a text; those that its author covered stay covered. */
export function coveredText({ text, entities }: Words): string {
  const spoilers = entities.filter(({ type }) => type === 'spoiler').sort((one, other) => one.offset - other.offset);
  let shown = '';
  let at = 0;
  for (const { offset, length } of spoilers) {
    // What begins within another is under its cover.
    if (offset >= at) shown += text.slice(at, offset) + COVER;
    at = Math.max(at, offset + length);
  }
  return shown + text.slice(at);
}
