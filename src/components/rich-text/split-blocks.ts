import type { TextRun } from '../../../contract/runs.ts';
import { clipRuns } from './nest-runs.ts';

/** Block of a post's text: a range that is displayed on its own lines. */
export type TextBlock =
  | { readonly type: 'paragraph'; readonly start: number; readonly end: number }
  | { readonly type: 'pre'; readonly start: number; readonly end: number; readonly run: TextRun }
  | {
      readonly type: 'quote';
      readonly start: number;
      readonly end: number;
      readonly run: TextRun;
      readonly blocks: readonly TextBlock[];
    };

const BLOCK_RUN_TYPES: ReadonlySet<TextRun['type']> = new Set(['blockquote', 'expandable_blockquote', 'pre']);
/** Maximum nesting depth of quotes. No source nests deeper. */
const MAX_QUOTE_DEPTH = 3;

/** Splits a range of the text into paragraphs (at blank lines), quotes and code. */
export function splitBlocks(text: string, runs: readonly TextRun[], start: number, end: number, depth = 0): TextBlock[] {
  const found: TextBlock[] = [];
  let at = start;
  for (const run of depth < MAX_QUOTE_DEPTH ? clipRuns(runs, start, end) : []) {
    if (!BLOCK_RUN_TYPES.has(run.type) || run.start < at) continue;
    found.push(...splitParagraphs(text, at, run.start), createBlock(text, runs, run, depth));
    at = run.end;
  }
  found.push(...splitParagraphs(text, at, end));
  return found;
}

function createBlock(text: string, runs: readonly TextRun[], run: TextRun, depth: number): TextBlock {
  const { start, end } = run;
  if (run.type === 'pre') return { type: 'pre', start, end, run };
  const inside = runs.filter((other) => other.entity !== run.entity);
  return { type: 'quote', start, end, run, blocks: splitBlocks(text, inside, start, end, depth + 1) };
}

function splitParagraphs(text: string, start: number, end: number): TextBlock[] {
  const found: TextBlock[] = [];
  const gap = /\n[^\S\n]*(?:\n[^\S\n]*)+/g;
  let at = start;
  for (const match of text.slice(start, end).matchAll(gap)) {
    addParagraph(found, text, at, start + match.index);
    at = start + match.index + match[0].length;
  }
  addParagraph(found, text, at, end);
  return found;
}

function addParagraph(found: TextBlock[], text: string, rawStart: number, rawEnd: number): void {
  let start = rawStart;
  let end = rawEnd;
  while (start < end && text[start] === '\n') start += 1;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  if (start < end) found.push({ type: 'paragraph', start, end });
}
