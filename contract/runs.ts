import type { Entity } from './post.ts';

/**
 * Text range: an entity, or a search hit. `start` and `end` (exclusive) are UTF-16 offsets. `entity` is null for a hit.
 */
export interface TextRun {
  readonly type: Entity['type'] | 'hit';
  readonly start: number;
  readonly end: number;
  readonly entity: Entity | null;
}

/**
 * Converts entities to text ranges: clips them to the text, removes empty ones, and moves an edge that splits a
 * surrogate pair. Returns them in the order of `outerFirst`.
 */
export function toTextRuns(text: string, entities: readonly Entity[]): TextRun[] {
  const runs: TextRun[] = [];
  for (const entity of entities) {
    let start = Math.max(0, entity.offset);
    let end = Math.min(text.length, entity.offset + entity.length);
    if (splitsPair(text, start)) start -= 1;
    if (splitsPair(text, end)) end += 1;
    if (start < end) runs.push({ type: entity.type, start, end, entity });
  }
  return runs.sort(outerFirst);
}

/** Sort order in which an enclosing range comes before the ranges inside it. */
export const outerFirst = (a: TextRun, b: TextRun): number => a.start - b.start || b.end - a.end;

/** Returns true if a position is between the two halves of a surrogate pair. */
const splitsPair = (text: string, index: number): boolean =>
  index > 0 &&
  index < text.length &&
  isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) &&
  isBetween(text.charCodeAt(index), 0xdc00, 0xdfff);
const isBetween = (code: number, low: number, high: number): boolean => code >= low && code <= high;
