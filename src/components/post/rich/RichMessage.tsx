import { useMemo, useState } from 'react';
import { useMsg } from '../../../i18n/i18n.ts';
import { Attachments } from '../../media/Attachments.tsx';
import { isBelowTruncation } from '../../rich-text/truncate-text.ts';
import type { ExtraPropsOf } from '../types.ts';
import { Blocks, collectShownMedia } from './Blocks.tsx';
import { blockText, MAX_BLOCK_DEPTH } from './block-context.ts';
import { headingLevels } from './heading-levels.ts';
import { truncateBlocks, truncatedLength } from './truncate-blocks.ts';

/** Lengths for truncating a rich message, comparable to those of plain text (`rich-text/truncate-text.ts`). */
const MAX_LENGTH = 1200;
const TRUNCATED_LENGTH = 800;

/** Rich message: renders its blocks below each other, followed by the files that no block shows. */
export function RichMessage({
  extra,
  commonChunk: parts,
  post,
  channel,
  linkContext: place,
  findHighlights: find,
  actions: acts,
  named,
}: ExtraPropsOf<'rich'>) {
  const { msg } = useMsg();
  const [chosen, choose] = useState<boolean | null>(null);
  const { blocks, rtl = false } = extra;
  const levels = useMemo(() => headingLevels(blocks), [blocks]);
  const folded = useMemo(() => truncateBlocks(blocks, MAX_LENGTH, TRUNCATED_LENGTH), [blocks]);
  const others = useMemo(() => {
    const shown = collectShownMedia(blocks, MAX_BLOCK_DEPTH);
    return post.media.filter((_, index) => !shown.has(index));
  }, [blocks, post.media]);
  const around = {
    commonChunk: parts,
    post,
    channel,
    linkContext: place,
    findHighlights: find,
    rtl,
    levels,
    onOpen: acts.viewMedia,
  };
  const found = useMemo(
    () => folded !== null && isBelowTruncation(find?.(blockText(blocks)), truncatedLength(folded)),
    [find, blocks, folded],
  );
  const open = chosen ?? (named === true || found);
  const { blocks: shown, end } = open || folded === null ? { blocks } : folded;
  return (
    <>
      <div className={end === undefined ? 'text rich' : 'text rich cut'} dir={rtl ? 'rtl' : undefined}>
        <Blocks blocks={shown} context={around} depth={0} end={end} />
      </div>
      {folded !== null && (
        <button type="button" className="link more" aria-expanded={open} onClick={() => choose(!open)}>
          {open ? msg('Show less') : msg('Show more')}
        </button>
      )}
      <Attachments post={post} media={others} base={place.baseUrl} onOpen={acts.viewMedia} />
    </>
  );
}
