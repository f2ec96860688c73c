import type { Block } from '../../../../contract/extra.ts';
import { DEEPEST } from './block-context.ts';

/** A page's own heading is of the first level; what a post says stands below it. */
const TOP = 2;
const LOWEST = 6;

/**
 * Gives each heading its level in the page. A message's sizes are looks, and may begin anywhere and leap: levels never do, so
 * that the page's outline stays whole.
 */
export function headingLevels(blocks: readonly Block[]): ReadonlyMap<Block, number> {
  const levels = new Map<Block, number>();
  walk(blocks, [], levels, 0);
  return levels;
}

/** `above` are the sizes of the headings that these blocks stand under; what lies in a box ends with it. */
function walk(blocks: readonly Block[], above: readonly number[], levels: Map<Block, number>, depth: number): void {
  if (depth > DEEPEST) return;
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
