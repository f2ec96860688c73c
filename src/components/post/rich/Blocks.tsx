// Rich message: recursive renderer of its blocks.
import { useMemo, useState } from 'react';
import type { Block, ListItem, Words } from '../../../../contract/extra.ts';
import type { Media } from '../../../../contract/post.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { Kind } from '../../lazy-chunks/lazy-chunks.tsx';
import { Attachments } from '../../media/Attachments.tsx';
import { Tick } from '../Checklist.tsx';
import { Unsupported } from '../ExtraCard.tsx';
import { type AroundBlocks, type BlocksProps, boxDirOf, dirOf, MAX_BLOCK_DEPTH } from './block-context.ts';
import { Line } from './InlineText.tsx';
import { Buttons } from './LinkButtons.tsx';
import { Slideshow } from './Slideshow.tsx';
import { Table } from './Table.tsx';
import { foldBlocks } from './truncate-blocks.ts';

/** Renders blocks below each other. `end` is the offset at which the last of them, a text block, is truncated. */
export function Blocks({ blocks, around, depth, end }: BlocksProps & { readonly end?: number | undefined }) {
  if (depth > MAX_BLOCK_DEPTH) return <Unsupported name="" link={around.post.link} />;
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

interface BoxProps<Type extends Block['type']> extends Omit<BlocksProps, 'blocks'> {
  readonly block: Extract<Block, { type: Type }>;
}

/** Lengths for truncating a quote, comparable to those of plain text (`rich-text/TextBlocks.tsx`). */
const QUOTE_LONG = 260;
const QUOTE_SHOWN = 190;

/**
 * Quote that contains blocks, with its credit. If its author made it collapsible, it is truncated until the reader expands it.
 */
function Quote({ block, around, depth }: BoxProps<'quote'>) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(false);
  const { blocks, folded: mayFold, credit } = block;
  const folded = useMemo(() => (mayFold === true ? foldBlocks(blocks, QUOTE_LONG, QUOTE_SHOWN) : null), [blocks, mayFold]);
  const { blocks: shown, end } = open || folded === null ? { blocks } : folded;
  return (
    <blockquote dir={boxDirOf(blocks, around)} className={end === undefined ? undefined : 'cut'}>
      <Blocks blocks={shown} around={around} depth={depth + 1} end={end} />
      {folded !== null && (
        <button type="button" className="link more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? msg('Show less') : msg('Show more')}
        </button>
      )}
      <Credit credit={credit} around={around} />
    </blockquote>
  );
}

/** Pull quote: text that its author sets apart, in large type. */
function Pullquote({ block, around }: Omit<BoxProps<'pullquote'>, 'depth'>) {
  return (
    <blockquote className="pullquote">
      <p dir={dirOf(block.text, around)}>
        <Line words={block} around={around} />
      </p>
      <Credit credit={block.credit} around={around} />
    </blockquote>
  );
}

/** Credit: the author of a quote or a picture. */
function Credit({ credit, around }: { readonly credit: Words | undefined; readonly around: AroundBlocks }) {
  if (credit === undefined || credit.text === '') return null;
  return (
    <cite dir={dirOf(credit.text, around)}>
      <Line words={credit} around={around} />
    </cite>
  );
}

/** Collapsible blocks below a summary line. */
function Details({ block, around, depth }: BoxProps<'details'>) {
  const { summary, blocks, open = false } = block;
  return (
    <details open={open} dir={boxDirOf([block], around)}>
      <summary>
        <Line words={summary} around={around} />
      </summary>
      <div>
        <Blocks blocks={blocks} around={around} depth={depth + 1} />
      </div>
    </details>
  );
}

/** Reasoning of an AI assistant before its response. */
function Thinking({ block, around }: Omit<BoxProps<'thinking'>, 'depth'>) {
  const { msg } = useMsg();
  return (
    <details className="thinking">
      <summary>{msg('Thoughts')}</summary>
      <p dir={dirOf(block.text, around)}>
        <Line words={block} around={around} />
      </p>
    </details>
  );
}

interface ListProps extends Omit<BlocksProps, 'blocks'> {
  readonly items: readonly ListItem[];
}

/** List with the source's own bullets, numbers or checkboxes. Its direction is that of its first words. */
function List({ items, around, depth }: ListProps) {
  return (
    <ul className="list" dir={boxDirOf([{ type: 'list', items }], around)}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
        <li key={index}>
          {item.checked === undefined ? <Label label={item.label} /> : <Tick done={item.checked} />}
          <div>
            <Blocks blocks={item.blocks} around={around} depth={depth + 1} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Label of a list item. A number has a meaning for screen readers, a bullet has none. */
const Label = ({ label }: { readonly label: string }) => (
  <span className="label" aria-hidden={!/[\p{L}\p{N}]/u.test(label)}>
    {label === '' ? '•' : label}
  </span>
);

interface RichMediaProps {
  readonly block: Extract<Block, { type: 'media' }>;
  readonly around: AroundBlocks;
}

/** Files within a message, with their caption. */
function RichMedia({ block, around }: RichMediaProps) {
  const { post, place, onOpen } = around;
  const media = block.media.map((index) => post.media[index]).filter((item) => item !== undefined);
  const show = (shown: readonly Media[], key?: number) => (
    <Attachments key={key} post={post} media={shown} base={place.base} onOpen={onOpen} />
  );
  return (
    <figure>
      {block.layout === 'slideshow' && media.length > 1 ? <Slideshow items={media} show={show} /> : tens(media).map(show)}
      <Caption block={block} around={around} />
    </figure>
  );
}

/** Splits files into albums: an album has at most ten tiles, a collage may have more. */
const tens = (media: readonly Media[]): Media[][] =>
  Array.from({ length: Math.ceil(media.length / 10) }, (_, index) => media.slice(index * 10, index * 10 + 10));

interface CaptionProps {
  readonly block: { readonly caption?: Words; readonly credit?: Words };
  readonly around: AroundBlocks;
}

/** Caption and credit of a picture or a map. */
function Caption({ block: { caption, credit }, around }: CaptionProps) {
  if (caption === undefined && credit === undefined) return null;
  return (
    <figcaption>
      {caption !== undefined && (
        <p dir={dirOf(caption.text, around)}>
          <Line words={caption} around={around} />
        </p>
      )}
      <Credit credit={credit} around={around} />
    </figcaption>
  );
}

/** Returns the indices of the files that blocks show, down to the depth to which blocks are rendered. */
export function shownMedia(blocks: readonly Block[], deepest: number): ReadonlySet<number> {
  if (deepest < 0) return new Set();
  const inside = (inner: readonly Block[]) => [...shownMedia(inner, deepest - 1)];
  return new Set(
    blocks.flatMap((block) => {
      if (block.type === 'media') return block.media;
      if (block.type === 'list') return block.items.flatMap((item) => inside(item.blocks));
      return block.type === 'quote' || block.type === 'details' ? inside(block.blocks) : [];
    }),
  );
}
