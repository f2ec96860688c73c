import type { Run } from '../../../contract/runs.ts';
import { within } from './nest-runs.ts';

/** Block of a post's text: a range that is displayed on its own lines. */
export type Block =
  | { readonly type: 'paragraph'; readonly start: number; readonly end: number }
  | { readonly type: 'pre'; readonly start: number; readonly end: number; readonly run: Run }
  | {
      readonly type: 'quote';
      readonly start: number;
      readonly end: number;
      readonly run: Run;
      readonly blocks: readonly Block[];
    };

const STANDS_ALONE: ReadonlySet<Run['type']> = new Set(['blockquote', 'expandable_blockquote', 'pre']);
/** Maximum nesting depth of quotes. No source nests deeper. */
const MAX_QUOTE_DEPTH = 3;

/** Splits a range of the text into paragraphs (at blank lines), quotes and code. */
export function blocks(text: string, runs: readonly Run[], start: number, end: number, depth = 0): Block[] {
  const found: Block[] = [];
  let at = start;
  for (const run of depth < MAX_QUOTE_DEPTH ? within(runs, start, end) : []) {
    if (!STANDS_ALONE.has(run.type) || run.start < at) continue;
    found.push(...paragraphs(text, at, run.start), standing(text, runs, run, depth));
    at = run.end;
  }
  found.push(...paragraphs(text, at, end));
  return found;
}

function standing(text: string, runs: readonly Run[], run: Run, depth: number): Block {
  const { start, end } = run;
  if (run.type === 'pre') return { type: 'pre', start, end, run };
  const inside = runs.filter((other) => other.entity !== run.entity);
  return { type: 'quote', start, end, run, blocks: blocks(text, inside, start, end, depth + 1) };
}

function paragraphs(text: string, start: number, end: number): Block[] {
  const found: Block[] = [];
  const gap = /\n[^\S\n]*(?:\n[^\S\n]*)+/g;
  let at = start;
  for (const match of text.slice(start, end).matchAll(gap)) {
    add(found, text, at, start + match.index);
    at = start + match.index + match[0].length;
  }
  add(found, text, at, end);
  return found;
}

function add(found: Block[], text: string, rawStart: number, rawEnd: number): void {
  let start = rawStart;
  let end = rawEnd;
  while (start < end && text[start] === '\n') start += 1;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  if (start < end) found.push({ type: 'paragraph', start, end });
}
