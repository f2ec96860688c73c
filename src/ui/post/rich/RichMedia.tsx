import type { Block, Words } from '../../../../contract/extra.ts';
import type { Media } from '../../../../contract/post.ts';
import { Attachments } from '../../media/Attachments.tsx';
import { type AroundBlocks, dirOf } from './around.ts';
import { Credit } from './Boxes.tsx';
import { Line } from './Line.tsx';
import { Slideshow } from './Slideshow.tsx';

interface RichMediaProps {
  readonly block: Extract<Block, { type: 'media' }>;
  readonly around: AroundBlocks;
}

/** Files in the midst of a message, with their caption. */
export function RichMedia({ block, around }: RichMediaProps) {
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

/** An album has at most ten tiles; a collage may have more. */
const tens = (media: readonly Media[]): Media[][] =>
  Array.from({ length: Math.ceil(media.length / 10) }, (_, index) => media.slice(index * 10, index * 10 + 10));

interface CaptionProps {
  readonly block: { readonly caption?: Words; readonly credit?: Words };
  readonly around: AroundBlocks;
}

/** What a picture or a map shows, and whose it is. */
export function Caption({ block: { caption, credit }, around }: CaptionProps) {
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

/** The indices of the files that blocks show, as deep as blocks are shown. */
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
