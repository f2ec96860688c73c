/* Context of a rich message's blocks, and functions for their text and text direction. */
import type { Channel } from '../../../../contract/channel.ts';
import type { ContentBlock, FormattedText } from '../../../../contract/extra.ts';
import type { Media, Post } from '../../../../contract/post.ts';
import type { LinkContext } from '../../../lib/links.ts';
import type { CommonChunkModule } from '../../lazy-chunks/lazy-chunks.tsx';
import type { HighlightFinder } from '../../rich-text/highlight.ts';

/** Context of a text: the data for its links and search hits. */
export interface LineContext {
  readonly channel: Channel;
  readonly linkContext: LinkContext;
  readonly findHighlights?: HighlightFinder | undefined;
}

/** Context of blocks: data of the message that contains them. */
export interface BlockContext extends LineContext {
  readonly post: Post;
  readonly commonChunk: CommonChunkModule;
  /** True if the source marked the complete message as right-to-left. */
  readonly rtl: boolean;
  /** Level of each heading in the page. */
  readonly levels: ReadonlyMap<ContentBlock, number>;
  onOpen(post: Post, media: Media): void;
}

export interface BlocksProps {
  readonly blocks: readonly ContentBlock[];
  readonly context: BlockContext;
  /** Nesting depth of these blocks. */
  readonly depth: number;
}

/** Maximum nesting depth. No source nests deeper; a hostile one must not exhaust the stack. */
export const MAX_BLOCK_DEPTH = 12;

const RIGHT_TO_LEFT_PATTERN = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/**
 * Returns the direction of a text. In a right-to-left message, a text that only begins with a Latin name is
 * right-to-left too.
 */
export const textDirection = (text: string, { rtl }: BlockContext): 'rtl' | 'auto' =>
  rtl && (RIGHT_TO_LEFT_PATTERN.test(text) || !/\p{L}/u.test(text)) ? 'rtl' : 'auto';

/**
 * Returns the direction of a box from the text of its blocks. The blocks set their own `dir`, so that `dir="auto"` on
 * the box would ignore their text.
 */
export const boxDirection = (blocks: readonly ContentBlock[], { rtl, commonChunk }: BlockContext): 'rtl' | 'ltr' =>
  rtl ? 'rtl' : commonChunk.firstLetterDirection(blockText(blocks));

/** Returns the text of blocks down to the maximum depth. The text of media and maps is their caption. */
export function blockText(blocks: readonly ContentBlock[], depth = 0): string {
  if (depth > MAX_BLOCK_DEPTH) return '';
  return blocks.map((block) => textOfBlock(block, depth)).join('\n');
}

function textOfBlock(block: ContentBlock, depth: number): string {
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

/** Returns true if a block contains only text. */
export const isTextBlock = (block: ContentBlock): block is Extract<ContentBlock, FormattedText> => 'entities' in block;
