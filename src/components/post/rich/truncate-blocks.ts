import type { ContentBlock } from '../../../../contract/extra.ts';
import { blockText, isTextBlock } from './block-context.ts';

/** Weight of a block without text, in characters. */
const NON_TEXT_BLOCK_WEIGHT = 120;
/** Additional weight of a text block, for its own line, in characters. */
const TEXT_LINE_WEIGHT = 40;
/** A text is truncated at the end of a word, unless that makes it shorter than this share of its maximum length. */
const MIN_WORD_END_RATIO = 0.6;

/** Truncated message: its first blocks. `end` is the offset at which the last of them, a text block, is truncated. */
export interface TruncatedBlocks {
  readonly blocks: readonly ContentBlock[];
  readonly end?: number;
}

const weighBlock = (block: ContentBlock): number => {
  const textLength = blockText([block]).length;
  return isTextBlock(block) || block.type === 'list' || block.type === 'quote'
    ? textLength + TEXT_LINE_WEIGHT
    : Math.max(textLength, NON_TEXT_BLOCK_WEIGHT);
};

/**
 * Truncates the blocks of a message whose weight exceeds `maxWeight`: returns the blocks to show until the reader expands the
 * message, up to `truncatedWeight`. Returns null if the message is short enough. Weights are in characters.
 */
export function truncateBlocks(
  blocks: readonly ContentBlock[],
  maxWeight: number,
  truncatedWeight: number,
): TruncatedBlocks | null {
  const weights = blocks.map(weighBlock);
  if (weights.reduce((sum, weight) => sum + weight, 0) <= maxWeight) return null;
  let remaining = truncatedWeight;
  for (const [index, block] of blocks.entries()) {
    const weight = weights[index] ?? 0;
    if (weight <= remaining) {
      remaining -= weight;
    } else if (isTextBlock(block) && remaining > TEXT_LINE_WEIGHT * 2) {
      return { blocks: blocks.slice(0, index + 1), end: findWordEnd(block.text, remaining - TEXT_LINE_WEIGHT) };
    } else {
      return { blocks: blocks.slice(0, Math.max(1, index)) };
    }
  }
  return null;
}

/** Returns the length of the plain text that is shown before the fold. */
export const truncatedLength = ({ blocks, end }: TruncatedBlocks): number =>
  end === undefined ? blockText(blocks).length : blockText(blocks.slice(0, -1)).length + end;

function findWordEnd(text: string, maxLength: number): number {
  const space = text.lastIndexOf(' ', maxLength);
  return space > maxLength * MIN_WORD_END_RATIO ? space : maxLength;
}
