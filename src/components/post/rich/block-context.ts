import type { Channel } from '../../../../contract/channel.ts';
import type { Block, Words } from '../../../../contract/extra.ts';
import type { Media, Post } from '../../../../contract/post.ts';
import type { Place } from '../../../lib/links.ts';
import type { Parts } from '../../lazy-chunks/lazy-chunks.tsx';
import type { Find } from '../../rich-text/highlight.ts';

/** What words need to know to become links and hits of a search. */
export interface AroundWords {
  readonly channel: Channel;
  readonly place: Place;
  readonly find?: Find | undefined;
}

/** What blocks need to know of the message that they stand in. */
export interface AroundBlocks extends AroundWords {
  readonly post: Post;
  readonly parts: Parts;
  /** The source marked the whole message as running from right to left. */
  readonly rtl: boolean;
  /** The level of each heading in the page. */
  readonly levels: ReadonlyMap<Block, number>;
  onOpen(post: Post, media: Media): void;
}

export interface BlocksProps {
  readonly blocks: readonly Block[];
  readonly around: AroundBlocks;
  /** How many blocks these stand in. */
  readonly depth: number;
}

/** Deeper than this no source nests; a hostile one must not exhaust the stack. */
export const DEEPEST = 12;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** The direction of words: in a message that runs to the left also of those that only begin with a Latin name. */
export const dirOf = (text: string, { rtl }: AroundBlocks): 'rtl' | 'auto' =>
  rtl && (RIGHT_TO_LEFT.test(text) || !/\p{L}/u.test(text)) ? 'rtl' : 'auto';

/** The direction of a box: its blocks have their own, which dir="auto" would pass over. */
export const boxDirOf = (blocks: readonly Block[], { rtl, parts }: AroundBlocks): 'rtl' | 'ltr' =>
  rtl ? 'rtl' : parts.directionOf(blockText(blocks));

/** The words of blocks, or as many as it takes to know how they begin. */
export function blockText(blocks: readonly Block[], depth = 0): string {
  if (depth > DEEPEST) return '';
  return blocks.map((block) => wordsOf(block, depth)).join('\n');
}

function wordsOf(block: Block, depth: number): string {
  switch (block.type) {
    case 'list':
      return block.items.map((item) => blockText(item.blocks, depth + 1)).join('\n');
    case 'table':
      return block.rows
        .flat()
        .map(({ text }) => text)
        .join('\n');
    case 'quote':
      return blockText(block.blocks, depth + 1);
    case 'details':
      return `${block.summary.text}\n${blockText(block.blocks, depth + 1)}`;
    case 'media':
    case 'map':
      return block.caption?.text ?? '';
    default:
      return 'text' in block ? block.text : '';
  }
}

/** Whether a block is words alone. */
export const isWordy = (block: Block): block is Extract<Block, Words> => 'entities' in block;
