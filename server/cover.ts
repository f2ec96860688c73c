import type { Words } from '../contract/extra.ts';
import { toRuns } from '../contract/runs.ts';

/** Stands for words that a reader has to ask for. */
export const COVER = '▒▒▒';

/** Gives the words of a text; those that its author covered stay covered. */
export function coveredText({ text, entities }: Words): string {
  const covered = toRuns(
    text,
    entities.filter(({ type }) => type === 'spoiler'),
  );
  let shown = '';
  let at = 0;
  for (const { start, end } of covered) {
    if (start >= at) shown += text.slice(at, start) + COVER;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}
