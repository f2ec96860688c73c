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
  commonChunk,
  post,
  channel,
  linkContext,
  findHighlights,
  actions,
  isUrlTarget,
}: ExtraPropsOf<'rich'>) {
  const { msg } = useMsg();
  /** Choice of the reader; null before a choice. */
  const [chosenExpanded, setChosenExpanded] = useState<boolean | null>(null);
  const { blocks, rtl = false } = extra;
  const levels = useMemo(() => headingLevels(blocks), [blocks]);
  const truncated = useMemo(() => truncateBlocks(blocks, MAX_LENGTH, TRUNCATED_LENGTH), [blocks]);
  const remainingMedia = useMemo(() => {
    const shownIndexes = collectShownMedia(blocks, MAX_BLOCK_DEPTH);
    return post.media.filter((_, index) => !shownIndexes.has(index));
  }, [blocks, post.media]);
  const context = {
    commonChunk,
    post,
    channel,
    linkContext,
    findHighlights,
    rtl,
    levels,
    onOpen: actions.viewMedia,
  };
  const hasHiddenHit = useMemo(
    () => truncated !== null && isBelowTruncation(findHighlights?.(blockText(blocks)), truncatedLength(truncated)),
    [findHighlights, blocks, truncated],
  );
  const isExpanded = chosenExpanded ?? (isUrlTarget === true || hasHiddenHit);
  const { blocks: shownBlocks, end } = isExpanded || truncated === null ? { blocks } : truncated;
  return (
    <>
      <div className={end === undefined ? 'text rich' : 'text rich cut'} dir={rtl ? 'rtl' : undefined}>
        <Blocks blocks={shownBlocks} context={context} depth={0} end={end} />
      </div>
      {truncated !== null && (
        <button type="button" className="link more" aria-expanded={isExpanded} onClick={() => setChosenExpanded(!isExpanded)}>
          {isExpanded ? msg('Show less') : msg('Show more')}
        </button>
      )}
      <Attachments post={post} media={remainingMedia} base={linkContext.baseUrl} onOpen={actions.viewMedia} />
    </>
  );
}
