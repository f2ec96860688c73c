import type { ContentBlock } from '../../../../contract/extra.ts';
import { MAX_BLOCK_DEPTH } from './block-context.ts';

/** The page's own heading has level 1. Headings in a post start below it. */
const TOP_LEVEL = 2;
const LOWEST_LEVEL = 6;

/**
 * Heading levels: returns the level of each heading in the page. Sizes in a message are only visual: they may start anywhere and
 * skip values. Levels never do, so the outline of the page stays correct.
 */
export function headingLevels(blocks: readonly ContentBlock[]): ReadonlyMap<ContentBlock, number> {
  const levels = new Map<ContentBlock, number>();
  assignLevels(blocks, [], levels, 0);
  return levels;
}

/**
 * Assigns levels recursively. `above` contains the sizes of the headings above these blocks. Headings inside a box apply only to
 * that box.
 */
function assignLevels(
  blocks: readonly ContentBlock[],
  above: readonly number[],
  levels: Map<ContentBlock, number>,
  depth: number,
): void {
  if (depth > MAX_BLOCK_DEPTH) return;
  let sizes = above;
  for (const block of blocks) {
    if (block.type === 'heading') {
      sizes = sizes.filter((size) => size < block.size);
      levels.set(block, Math.min(TOP_LEVEL + sizes.length, LOWEST_LEVEL));
      sizes = [...sizes, block.size];
    }
    for (const inner of innerBlocks(block)) assignLevels(inner, sizes, levels, depth + 1);
  }
}

const innerBlocks = (block: ContentBlock): readonly (readonly ContentBlock[])[] => {
  if (block.type === 'list') return block.items.map((item) => item.blocks);
  return block.type === 'quote' || block.type === 'details' ? [block.blocks] : [];
};
