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
  const blocks: TextBlock[] = [];
  let position = start;
  for (const run of depth < MAX_QUOTE_DEPTH ? clipRuns(runs, start, end) : []) {
    if (!BLOCK_RUN_TYPES.has(run.type) || run.start < position) continue;
    blocks.push(...splitParagraphs(text, position, run.start), createBlock(text, runs, run, depth));
    position = run.end;
  }
  blocks.push(...splitParagraphs(text, position, end));
  return blocks;
}

function createBlock(text: string, runs: readonly TextRun[], run: TextRun, depth: number): TextBlock {
  const { start, end } = run;
  if (run.type === 'pre') return { type: 'pre', start, end, run };
  const innerRuns = runs.filter((other) => other.entity !== run.entity);
  return { type: 'quote', start, end, run, blocks: splitBlocks(text, innerRuns, start, end, depth + 1) };
}

function splitParagraphs(text: string, start: number, end: number): TextBlock[] {
  const blocks: TextBlock[] = [];
  const blankLines = /\n[^\S\n]*(?:\n[^\S\n]*)+/g;
  let position = start;
  for (const match of text.slice(start, end).matchAll(blankLines)) {
    addParagraph(blocks, text, position, start + match.index);
    position = start + match.index + match[0].length;
  }
  addParagraph(blocks, text, position, end);
  return blocks;
}

function addParagraph(blocks: TextBlock[], text: string, rawStart: number, rawEnd: number): void {
  let start = rawStart;
  let end = rawEnd;
  while (start < end && text[start] === '\n') start += 1;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  if (start < end) blocks.push({ type: 'paragraph', start, end });
}
