import type { Block, Words } from '../../../../contract/extra.ts';
import { Kind } from '../../parts.tsx';
import { Unsupported } from '../ExtraCard.tsx';
import { type BlocksProps, DEEPEST, dirOf } from './around.ts';
import { Details, Pullquote, Quote, Thinking } from './Boxes.tsx';
import { Buttons } from './Buttons.tsx';
import { Line } from './Line.tsx';
import { List } from './List.tsx';
import { Caption, RichMedia } from './RichMedia.tsx';
import { Table } from './Table.tsx';

/** Draws blocks one below the other; `end` is where the last of them, one of words, is cut. */
export function Blocks({ blocks, around, depth, end }: BlocksProps & { readonly end?: number | undefined }) {
  if (depth > DEEPEST) return <Unsupported name="" link={around.post.link} />;
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a message never change places
    <One key={index} block={block} around={around} depth={depth} end={index === blocks.length - 1 ? end : undefined} />
  ));
}

interface OneProps extends Omit<BlocksProps, 'blocks'> {
  readonly block: Block;
  readonly end?: number | undefined;
}

function One({ block, around, depth, end }: OneProps) {
  const { parts, post } = around;
  const line = (words: Words) => <Line words={words} around={around} end={end} />;
  switch (block.type) {
    case 'paragraph':
      return <p dir={dirOf(block.text, around)}>{line(block)}</p>;
    case 'heading':
      return <Heading block={block} around={around} depth={depth} end={end} />;
    case 'footer':
      return (
        <p className="soft" dir={dirOf(block.text, around)}>
          {line(block)}
        </p>
      );
    case 'pre':
      return (
        <parts.CodeBox code={block.text} language={block.language}>
          {line(block)}
        </parts.CodeBox>
      );
    case 'math':
      return (
        <parts.CodeBox code={block.text} language="LaTeX">
          {block.text}
        </parts.CodeBox>
      );
    case 'thinking':
      return <Thinking block={block} around={around} />;
    case 'pullquote':
      return <Pullquote block={block} around={around} />;
    case 'quote':
      return <Quote block={block} around={around} depth={depth} />;
    case 'details':
      return <Details block={block} around={around} depth={depth} />;
    case 'divider':
      return <hr />;
    case 'list':
      return <List items={block.items} around={around} depth={depth} />;
    case 'table':
      return <Table block={block} around={around} />;
    case 'media':
      return <RichMedia block={block} around={around} />;
    case 'map':
      return (
        <figure>
          <Kind>{(kinds) => <kinds.PlaceCard place={block.place} />}</Kind>
          <Caption block={block} around={around} />
        </figure>
      );
    case 'buttons':
      return <Buttons buttons={block.buttons} link={post.link} />;
    case 'unknown':
      return <Unsupported name={block.name} link={post.link} />;
  }
}

type HeadingProps = OneProps & { readonly block: Extract<Block, { type: 'heading' }> };

function Heading({ block, around, end }: HeadingProps) {
  const Tag = TAGS[around.levels.get(block) ?? 6] ?? 'h6';
  const size = Math.min(6, Math.max(1, Math.round(block.size)));
  return (
    <Tag className={`size-${size}`} dir={dirOf(block.text, around)}>
      <Line words={block} around={around} end={end} />
    </Tag>
  );
}

const TAGS: Readonly<Record<number, 'h2' | 'h3' | 'h4' | 'h5' | 'h6'>> = { 2: 'h2', 3: 'h3', 4: 'h4', 5: 'h5', 6: 'h6' };
