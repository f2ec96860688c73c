import { useMemo, useState } from 'react';
import { useMsg } from '../../../i18n/i18n.ts';
import { Attachments } from '../../media/Attachments.tsx';
import { isBelow } from '../../rich-text/truncate-text.ts';
import type { ExtraOf } from '../types.ts';
import { Blocks, shownMedia } from './Blocks.tsx';
import { blockText, MAX_BLOCK_DEPTH } from './block-context.ts';
import { headingLevels } from './heading-levels.ts';
import { foldBlocks, lengthOf } from './truncate-blocks.ts';

/** Lengths for truncating a rich message, comparable to those of plain text (`rich-text/truncate-text.ts`). */
const LONG = 1200;
const SHOWN = 800;

/** Rich message: renders its blocks below each other, followed by the files that no block shows. */
export function RichPost({ extra, parts, post, channel, place, find, acts, named }: ExtraOf<'rich'>) {
  const { msg } = useMsg();
  const [chosen, choose] = useState<boolean | null>(null);
  const { blocks, rtl = false } = extra;
  const levels = useMemo(() => headingLevels(blocks), [blocks]);
  const folded = useMemo(() => foldBlocks(blocks, LONG, SHOWN), [blocks]);
  const others = useMemo(() => {
    const shown = shownMedia(blocks, MAX_BLOCK_DEPTH);
    return post.media.filter((_, index) => !shown.has(index));
  }, [blocks, post.media]);
  const around = { parts, post, channel, place, find, rtl, levels, onOpen: acts.view };
  const found = useMemo(() => folded !== null && isBelow(find?.(blockText(blocks)), lengthOf(folded)), [find, blocks, folded]);
  const open = chosen ?? (named === true || found);
  const { blocks: shown, end } = open || folded === null ? { blocks } : folded;
  return (
    <>
      <div className={end === undefined ? 'text rich' : 'text rich cut'} dir={rtl ? 'rtl' : undefined}>
        <Blocks blocks={shown} around={around} depth={0} end={end} />
      </div>
      {folded !== null && (
        <button type="button" className="link more" aria-expanded={open} onClick={() => choose(!open)}>
          {open ? msg('Show less') : msg('Show more')}
        </button>
      )}
      <Attachments post={post} media={others} base={place.base} onOpen={acts.view} />
    </>
  );
}
