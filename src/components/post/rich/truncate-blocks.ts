import type { Block } from '../../../../contract/extra.ts';
import { blockText, isWordy } from './block-context.ts';

/** Weight of a block without text, in characters. */
const BOX = 120;
/** Additional weight of a text block, for its own line. */
const LINE = 40;

/** Truncated message: its first blocks. `end` is the offset at which the last of them, a text block, is truncated. */
export interface Folded {
  readonly blocks: readonly Block[];
  readonly end?: number;
}

const weigh = (block: Block): number => {
  const words = blockText([block]).length;
  return isWordy(block) || block.type === 'list' || block.type === 'quote' ? words + LINE : Math.max(words, BOX);
};

/** Truncates blocks: returns those to show until the reader expands the message; null if they are short enough. */
export function foldBlocks(blocks: readonly Block[], long: number, shown: number): Folded | null {
  const weights = blocks.map(weigh);
  if (weights.reduce((sum, weight) => sum + weight, 0) <= long) return null;
  let room = shown;
  for (const [index, block] of blocks.entries()) {
    const weight = weights[index] ?? 0;
    if (weight <= room) {
      room -= weight;
    } else if (isWordy(block) && room > LINE * 2) {
      return { blocks: blocks.slice(0, index + 1), end: wordEnd(block.text, room - LINE) };
    } else {
      return { blocks: blocks.slice(0, Math.max(1, index)) };
    }
  }
  return null;
}

/** Returns the length of the plain text that is shown before the fold. */
export const lengthOf = ({ blocks, end }: Folded): number =>
  end === undefined ? blockText(blocks).length : blockText(blocks.slice(0, -1)).length + end;

function wordEnd(text: string, most: number): number {
  const space = text.lastIndexOf(' ', most);
  return space > most * 0.6 ? space : most;
}
