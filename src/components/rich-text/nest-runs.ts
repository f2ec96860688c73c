import { outerFirst, type TextRun } from '../../../contract/runs.ts';

/** Tree of runs, properly nested. Its leaves are plain text. */
export type Branch = string | { readonly run: TextRun; readonly children: readonly Branch[] };

/** HTML elements of the runs that only change the appearance. */
export const STYLE_TAGS = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  subscript: 'sub',
  superscript: 'sup',
  marked: 'mark',
  hit: 'mark',
} as const satisfies Partial<Record<TextRun['type'], string>>;

/** Maximum nesting depth. No source nests deeper; a hostile one must not exhaust the stack. */
const MAX_NESTING_DEPTH = 24;

/** Clips runs to a range, and drops those outside it. */
export const clipRuns = (runs: readonly TextRun[], start: number, end: number): TextRun[] =>
  runs
    .filter((run) => run.start < end && run.end > start)
    .map((run) => ({ ...run, start: Math.max(run.start, start), end: Math.min(run.end, end) }))
    .sort(outerFirst);

/** Builds a tree of the text in a range. If two runs overlap, the later one is split at the end of the earlier one. */
export function nestRuns(text: string, runs: readonly TextRun[], start: number, end: number): Branch[] {
  const queue = clipRuns(runs, start, end);
  return buildBranches(text, queue, start, end, 0);
}

function buildBranches(text: string, queue: TextRun[], start: number, end: number, depth: number): Branch[] {
  const branches: Branch[] = [];
  let position = start;
  for (let run = queue[0]; run !== undefined && run.start < end; run = queue[0]) {
    queue.shift();
    if (depth >= MAX_NESTING_DEPTH) continue;
    if (run.end > end) requeueRun(queue, { ...run, start: end });
    const inner = { ...run, end: Math.min(run.end, end) };
    if (inner.start > position) branches.push(text.slice(position, inner.start));
    branches.push({ run: inner, children: buildBranches(text, queue, inner.start, inner.end, depth + 1) });
    position = inner.end;
  }
  if (position < end) branches.push(text.slice(position, end));
  return branches;
}

function requeueRun(queue: TextRun[], run: TextRun): void {
  const index = queue.findIndex((other) => outerFirst(run, other) < 0);
  queue.splice(index === -1 ? queue.length : index, 0, run);
}
