import type { Block } from '../../../../contract/extra.ts';
import { MAX_BLOCK_DEPTH } from './block-context.ts';

/** The page's own heading has level 1. Headings in a post start below it. */
const TOP = 2;
const LOWEST = 6;

/**
 * Heading levels: returns the level of each heading in the page. Sizes in a message are only visual: they may start anywhere and
 * skip values. Levels never do, so the outline of the page stays correct.
 */
export function headingLevels(blocks: readonly Block[]): ReadonlyMap<Block, number> {
  const levels = new Map<Block, number>();
  walk(blocks, [], levels, 0);
  return levels;
}

/**
 * Assigns levels recursively. `above` contains the sizes of the headings above these blocks. Headings inside a box apply only to
 * that box.
 */
function walk(blocks: readonly Block[], above: readonly number[], levels: Map<Block, number>, depth: number): void {
  if (depth > MAX_BLOCK_DEPTH) return;
  let open = above;
  for (const block of blocks) {
    if (block.type === 'heading') {
      open = open.filter((size) => size < block.size);
      levels.set(block, Math.min(TOP + open.length, LOWEST));
      open = [...open, block.size];
    }
    for (const inner of insides(block)) walk(inner, open, levels, depth + 1);
  }
}

const insides = (block: Block): readonly (readonly Block[])[] => {
  if (block.type === 'list') return block.items.map((item) => item.blocks);
  return block.type === 'quote' || block.type === 'details' ? [block.blocks] : [];
};
