// Rich message: recursive renderer of its blocks.
import { useMemo, useState } from 'react';
import type { ContentBlock, FormattedText, ListItem } from '../../../../contract/extra.ts';
import type { Media } from '../../../../contract/post.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { RareChunk } from '../../lazy-chunks/lazy-chunks.tsx';
import { Attachments } from '../../media/Attachments.tsx';
import { Tick } from '../Checklist.tsx';
import { Unsupported } from '../ExtraCard.tsx';
import { type BlockContext, type BlocksProps, boxDirection, MAX_BLOCK_DEPTH, textDirection } from './block-context.ts';
import { InlineText } from './InlineText.tsx';
import { LinkButtons } from './LinkButtons.tsx';
import { Slideshow } from './Slideshow.tsx';
import { Table } from './Table.tsx';
import { truncateBlocks } from './truncate-blocks.ts';

/** Renders blocks below each other. `end` is the offset at which the last of them, a text block, is truncated. */
export function Blocks({ blocks, context, depth, end }: BlocksProps & { readonly end?: number | undefined }) {
  if (depth > MAX_BLOCK_DEPTH) return <Unsupported name="" link={context.post.link} />;
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a message have a fixed order
    <RichBlock key={index} block={block} context={context} depth={depth} end={index === blocks.length - 1 ? end : undefined} />
  ));
}

interface RichBlockProps extends Omit<BlocksProps, 'blocks'> {
  readonly block: ContentBlock;
  readonly end?: number | undefined;
}

function RichBlock({ block, context, depth, end }: RichBlockProps) {
  const { commonChunk, post } = context;
  const renderText = (content: FormattedText) => <InlineText content={content} context={context} end={end} />;
  switch (block.type) {
    case 'paragraph':
      return <p dir={textDirection(block.text, context)}>{renderText(block)}</p>;
    case 'heading':
      return <Heading block={block} context={context} depth={depth} end={end} />;
    case 'footer':
      return (
        <p className="soft" dir={textDirection(block.text, context)}>
          {renderText(block)}
        </p>
      );
    case 'pre':
      return (
        <commonChunk.CodeBox code={block.text} language={block.language}>
          {renderText(block)}
        </commonChunk.CodeBox>
      );
    case 'math':
      return (
        <commonChunk.CodeBox code={block.text} language="LaTeX">
          {block.text}
        </commonChunk.CodeBox>
      );
    case 'thinking':
      return <Thinking block={block} context={context} />;
    case 'pullquote':
      return <Pullquote block={block} context={context} />;
    case 'quote':
      return <Quote block={block} context={context} depth={depth} />;
    case 'details':
      return <Details block={block} context={context} depth={depth} />;
    case 'divider':
      return <hr />;
    case 'list':
      return <List items={block.items} context={context} depth={depth} />;
    case 'table':
      return <Table block={block} context={context} />;
    case 'media':
      return <RichMedia block={block} context={context} />;
    case 'map':
      return (
        <figure>
          <RareChunk>{(chunk) => <chunk.VenueCard venue={block.place} />}</RareChunk>
          <Caption block={block} context={context} />
        </figure>
      );
    case 'buttons':
      return <LinkButtons buttons={block.buttons} link={post.link} />;
    case 'unknown':
      return <Unsupported name={block.name} link={post.link} />;
  }
}

type HeadingProps = RichBlockProps & { readonly block: Extract<ContentBlock, { type: 'heading' }> };

function Heading({ block, context, end }: HeadingProps) {
  const Tag = HEADING_TAGS[context.levels.get(block) ?? 6] ?? 'h6';
  const size = Math.min(6, Math.max(1, Math.round(block.size)));
  return (
    <Tag className={`size-${size}`} dir={textDirection(block.text, context)}>
      <InlineText content={block} context={context} end={end} />
    </Tag>
  );
}

const HEADING_TAGS: Readonly<Record<number, 'h2' | 'h3' | 'h4' | 'h5' | 'h6'>> = { 2: 'h2', 3: 'h3', 4: 'h4', 5: 'h5', 6: 'h6' };

interface TypedBlockProps<Type extends ContentBlock['type']> extends Omit<BlocksProps, 'blocks'> {
  readonly block: Extract<ContentBlock, { type: Type }>;
}

/** Lengths for truncating a quote, comparable to those of plain text (`rich-text/TextBlocks.tsx`). */
const MAX_QUOTE_LENGTH = 260;
const TRUNCATED_QUOTE_LENGTH = 190;

/**
 * Quote that contains blocks, with its credit. If its author made it collapsible, it is truncated until the reader
 * expands it.
 */
function Quote({ block, context, depth }: TypedBlockProps<'quote'>) {
  const { msg } = useMsg();
  const [isExpanded, setExpanded] = useState(false);
  const { blocks, folded: isCollapsible, credit } = block;
  const truncated = useMemo(
    () => (isCollapsible === true ? truncateBlocks(blocks, MAX_QUOTE_LENGTH, TRUNCATED_QUOTE_LENGTH) : null),
    [blocks, isCollapsible],
  );
  const { blocks: shownBlocks, end } = isExpanded || truncated === null ? { blocks } : truncated;
  return (
    <blockquote dir={boxDirection(blocks, context)} className={end === undefined ? undefined : 'cut'}>
      <Blocks blocks={shownBlocks} context={context} depth={depth + 1} end={end} />
      {truncated !== null && (
        <button type="button" className="link more" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? msg('Show less') : msg('Show more')}
        </button>
      )}
      <Credit credit={credit} context={context} />
    </blockquote>
  );
}

/** Pull quote: text that its author emphasizes, in large type. */
function Pullquote({ block, context }: Omit<TypedBlockProps<'pullquote'>, 'depth'>) {
  return (
    <blockquote className="pullquote">
      <p dir={textDirection(block.text, context)}>
        <InlineText content={block} context={context} />
      </p>
      <Credit credit={block.credit} context={context} />
    </blockquote>
  );
}

/** Credit: the author of a quote or a picture. */
function Credit({ credit, context }: { readonly credit: FormattedText | undefined; readonly context: BlockContext }) {
  if (credit === undefined || credit.text === '') return null;
  return (
    <cite dir={textDirection(credit.text, context)}>
      <InlineText content={credit} context={context} />
    </cite>
  );
}

/** Collapsible blocks below a summary line. */
function Details({ block, context, depth }: TypedBlockProps<'details'>) {
  const { summary, blocks, open = false } = block;
  return (
    <details open={open} dir={boxDirection([block], context)}>
      <summary>
        <InlineText content={summary} context={context} />
      </summary>
      <div>
        <Blocks blocks={blocks} context={context} depth={depth + 1} />
      </div>
    </details>
  );
}

/** Reasoning of an AI assistant before its response. */
function Thinking({ block, context }: Omit<TypedBlockProps<'thinking'>, 'depth'>) {
  const { msg } = useMsg();
  return (
    <details className="thinking">
      <summary>{msg('Thoughts')}</summary>
      <p dir={textDirection(block.text, context)}>
        <InlineText content={block} context={context} />
      </p>
    </details>
  );
}

interface ListProps extends Omit<BlocksProps, 'blocks'> {
  readonly items: readonly ListItem[];
}

/** List with the source's own bullets, numbers or checkboxes. Its direction is that of its first letter. */
function List({ items, context, depth }: ListProps) {
  return (
    <ul className="list" dir={boxDirection([{ type: 'list', items }], context)}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
        <li key={index}>
          {item.checked === undefined ? <Label label={item.label} /> : <Tick done={item.checked} />}
          <div>
            <Blocks blocks={item.blocks} context={context} depth={depth + 1} />
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
  readonly block: Extract<ContentBlock, { type: 'media' }>;
  readonly context: BlockContext;
}

/** Files within a message, with their caption. */
function RichMedia({ block, context }: RichMediaProps) {
  const { post, linkContext, onOpen } = context;
  const media = block.media.map((index) => post.media[index]).filter((item) => item !== undefined);
  const renderFiles = (files: readonly Media[], key?: number) => (
    <Attachments key={key} post={post} media={files} base={linkContext.baseUrl} onOpen={onOpen} />
  );
  return (
    <figure>
      {block.layout === 'slideshow' && media.length > 1 ? (
        <Slideshow items={media} renderSlide={renderFiles} />
      ) : (
        splitIntoAlbums(media).map(renderFiles)
      )}
      <Caption block={block} context={context} />
    </figure>
  );
}

/** Maximum number of files of an album. */
const MAX_ALBUM_ITEMS = 10;

/** Splits files into albums, because a collage may have more files than an album. */
const splitIntoAlbums = (media: readonly Media[]): Media[][] =>
  Array.from({ length: Math.ceil(media.length / MAX_ALBUM_ITEMS) }, (_, index) =>
    media.slice(index * MAX_ALBUM_ITEMS, (index + 1) * MAX_ALBUM_ITEMS),
  );

interface CaptionProps {
  readonly block: { readonly caption?: FormattedText; readonly credit?: FormattedText };
  readonly context: BlockContext;
}

/** Caption and credit of a picture or a map. */
function Caption({ block: { caption, credit }, context }: CaptionProps) {
  if (caption === undefined && credit === undefined) return null;
  return (
    <figcaption>
      {caption !== undefined && (
        <p dir={textDirection(caption.text, context)}>
          <InlineText content={caption} context={context} />
        </p>
      )}
      <Credit credit={credit} context={context} />
    </figcaption>
  );
}

/** Returns the indices of the files that blocks show, down to the depth to which blocks are rendered. */
export function collectShownMedia(blocks: readonly ContentBlock[], maxDepth: number): ReadonlySet<number> {
  if (maxDepth < 0) return new Set();
  const collectNested = (nested: readonly ContentBlock[]) => [...collectShownMedia(nested, maxDepth - 1)];
  return new Set(
    blocks.flatMap((block) => {
      if (block.type === 'media') return block.media;
      if (block.type === 'list') return block.items.flatMap((item) => collectNested(item.blocks));
      return block.type === 'quote' || block.type === 'details' ? collectNested(block.blocks) : [];
    }),
  );
}
