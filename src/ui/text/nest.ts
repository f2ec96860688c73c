import type { Entity } from '../../../contract/post.ts';

/** A stretch of text that means something: an entity, or a hit of a search. `end` is exclusive. */
export interface Run {
  readonly type: Entity['type'] | 'hit';
  readonly start: number;
  readonly end: number;
  readonly entity: Entity | null;
}

/** A well-formed tree of runs; leaves are plain text. */
export type Branch = string | { readonly run: Run; readonly children: readonly Branch[] };

/** Deeper than this no source nests; a hostile one must not exhaust the stack. */
const DEEPEST = 24;

/** Clips entities to the text, drops the empty ones and moves edges off the middle of a surrogate pair. */
export function toRuns(text: string, entities: readonly Entity[]): Run[] {
  const runs: Run[] = [];
  for (const entity of entities) {
    let start = Math.max(0, entity.offset);
    let end = Math.min(text.length, entity.offset + entity.length);
    if (splitsPair(text, start)) start -= 1;
    if (splitsPair(text, end)) end += 1;
    if (start < end) runs.push({ type: entity.type, start, end, entity });
  }
  return runs.sort(outerFirst);
}

export const outerFirst = (a: Run, b: Run): number => a.start - b.start || b.end - a.end;

const splitsPair = (text: string, at: number): boolean =>
  at > 0 &&
  at < text.length &&
  isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) &&
  isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
const isBetween = (code: number, low: number, high: number): boolean => code >= low && code <= high;

/** Keeps the parts of runs that lie between two places. */
export const within = (runs: readonly Run[], start: number, end: number): Run[] =>
  runs
    .filter((run) => run.start < end && run.end > start)
    .map((run) => ({ ...run, start: Math.max(run.start, start), end: Math.min(run.end, end) }))
    .sort(outerFirst);

/** Makes a tree of the text between two places; of two runs that overlap the later one is cut at the earlier one's end. */
export function nest(text: string, runs: readonly Run[], start: number, end: number): Branch[] {
  const queue = within(runs, start, end);
  return take(text, queue, start, end, 0);
}

function take(text: string, queue: Run[], start: number, end: number, depth: number): Branch[] {
  const branches: Branch[] = [];
  let at = start;
  for (let run = queue[0]; run !== undefined && run.start < end; run = queue[0]) {
    queue.shift();
    if (depth >= DEEPEST) continue;
    if (run.end > end) requeue(queue, { ...run, start: end });
    const inner = { ...run, end: Math.min(run.end, end) };
    if (inner.start > at) branches.push(text.slice(at, inner.start));
    branches.push({ run: inner, children: take(text, queue, inner.start, inner.end, depth + 1) });
    at = inner.end;
  }
  if (at < end) branches.push(text.slice(at, end));
  return branches;
}

function requeue(queue: Run[], run: Run): void {
  const at = queue.findIndex((other) => outerFirst(run, other) < 0);
  queue.splice(at === -1 ? queue.length : at, 0, run);
}
