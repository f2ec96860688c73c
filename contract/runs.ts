import type { Entity } from './post.ts';

/** A range of text with a meaning: an entity, or a search hit. `end` is exclusive. */
export interface TextRun {
  readonly type: Entity['type'] | 'hit';
  readonly start: number;
  readonly end: number;
  readonly entity: Entity | null;
}

/**
 * Converts entities to text ranges: clips them to the text, removes empty ones, and moves an edge that splits a surrogate pair.
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

const splitsPair = (text: string, at: number): boolean =>
  at > 0 &&
  at < text.length &&
  isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) &&
  isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
const isBetween = (code: number, low: number, high: number): boolean => code >= low && code <= high;
