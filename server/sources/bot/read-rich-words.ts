import type { Block, Words } from '../../../contract/extra.ts';
import type { Entity } from '../../../contract/post.ts';
import { joinWords } from '../../join-words.ts';
import { inOrder } from '../telegram/parse/entities.ts';

const NOTHING: Words = { text: '', entities: [] };

const just = (text: string): Words => ({ text, entities: [] });

const around = (words: Words, detail: Pick<Entity, 'type' | 'language' | 'url'>): Words =>
  words.text === ''
    ? words
    : { text: words.text, entities: inOrder([{ ...detail, offset: 0, length: words.text.length }, ...words.entities]) };

const lines = (...parts: readonly (Words | undefined)[]): Words =>
  joinWords(
    parts.filter((part) => part !== undefined),
    '\n',
  );

const button = ({ text, url }: { text: string; url?: string }): Words =>
  url === undefined ? just(text) : around(just(text), { type: 'text_link', url });

const flatten = (block: Block): Words => {
  switch (block.type) {
    case 'paragraph':
    case 'footer':
    case 'thinking':
      return block;
    case 'heading':
      return around(block, { type: 'bold' });
    case 'pre':
      return around(block, { type: 'pre', ...(block.language === undefined ? {} : { language: block.language }) });
    case 'pullquote':
      return lines(around(block, { type: 'blockquote' }), block.credit);
    case 'quote':
      return lines(
        around(flatWords(block.blocks), { type: block.folded ? 'expandable_blockquote' : 'blockquote' }),
        block.credit,
      );
    case 'math':
      return around(just(block.text), { type: 'math' });
    case 'list':
      return lines(...block.items.map(({ label, blocks }) => joinWords([just(label), flatWords(blocks)], ' ')));
    case 'table':
      return lines(...block.rows.map((row) => joinWords(row, ' | ')), block.caption);
    case 'details':
      return lines(around(block.summary, { type: 'bold' }), flatWords(block.blocks));
    case 'media':
      return lines(block.caption, block.credit);
    case 'map':
      return block.caption ?? NOTHING;
    case 'buttons':
      return joinWords(block.buttons.map(button), ' | ');
    case 'divider':
    case 'unknown':
      return NOTHING;
  }
};

/** Says all words of blocks as one text, for search and for whoever cannot draw blocks. */
export const flatWords = (blocks: readonly Block[]): Words => joinWords(blocks.map(flatten), '\n\n');
