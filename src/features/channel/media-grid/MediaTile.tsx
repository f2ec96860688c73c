import { useState } from 'react';
import { plainText } from '../../../../contract/plain-text.ts';
import type { Media, Post } from '../../../../contract/post.ts';
import { AnyIcon } from '../../../components/icons/AnyIcon.tsx';
import { CommonChunk } from '../../../components/lazy-chunks/lazy-chunks.tsx';
import { Picture, Placeholder } from '../../../components/media/Picture.tsx';
import { useMsg } from '../../../i18n/i18n.ts';

interface MediaTileProps {
  readonly post: Post;
  readonly item: Media;
  readonly base: string;
  /** Current time, unix ms. */
  readonly now: number;
  onOpen(post: Post, item: Media): void;
}

/** Width of a tile in the 24 columns that picture sizes use: a phone shows three tiles in a row. */
const PICTURE_COLUMNS = 8;
const MAX_CAPTION_LENGTH = 90;

/** Media tile: one photo or video as a button that opens the viewer. The first press on a spoiler reveals it. */
export function MediaTile({ post, item, base, now, onOpen }: MediaTileProps) {
  const { msg } = useMsg();
  const [isMasked, setMasked] = useState(item.spoiler === true);
  const mediaLabel = useMediaLabel(post, item, now);
  const caption = useCaption(post);
  const isStill = item.type === 'photo' || item.type === 'document' || item.mime?.startsWith('image/') === true;
  const picture = isStill ? item : item.poster;
  const accessibleName = mediaLabel + caption;
  if (isMasked)
    return (
      <button type="button" className="media-tile" onClick={() => setMasked(false)}>
        <Placeholder colors={item.placeholder ?? item.poster?.placeholder} />
        <span className="media-mark">
          <AnyIcon name="hide" />
        </span>
        <span className="hidden">{`${mediaLabel}. ${msg('Show hidden picture')}`}</span>
      </button>
    );
  return (
    <button type="button" className="media-tile" onClick={() => onOpen(post, item)}>
      <Picture
        src={picture?.src === undefined ? undefined : base + picture.src}
        alt={accessibleName}
        width={picture?.width}
        height={picture?.height}
        placeholder={picture?.placeholder ?? item.placeholder}
        columns={PICTURE_COLUMNS}
        hasOverlay={!isStill}
      />
      {picture === undefined && <span className="hidden">{accessibleName}</span>}
      {!isStill && (
        <span className="media-mark">
          <AnyIcon name="play" filled />
        </span>
      )}
      {item.duration !== undefined && (
        <>
          {' '}
          <span className="badge corner">
            <CommonChunk fallback={false}>{({ clockText }) => clockText(item.duration ?? 0)}</CommonChunk>
          </span>
        </>
      )}
    </button>
  );
}

/** Returns the kind and the day of a file, for example "Photo, 12 November". */
function useMediaLabel({ date }: Post, { type }: Media, now: number): string {
  const m = useMsg();
  const kind = type === 'photo' || type === 'document' ? m.msg('Photo') : m.msg('Video');
  return new Intl.ListFormat(m.localeTag(), { type: 'unit', style: 'short' }).format([kind, m.dayName(date, now)]);
}

/** Returns the beginning of the post's text as the end of an accessible name; '' if the post has no text. */
function useCaption(post: Post): string {
  const { msg } = useMsg();
  const text = plainText(post, msg('[hidden text]')).trim().replace(/\s+/g, ' ');
  if (text === '') return '';
  return `: ${text.length > MAX_CAPTION_LENGTH ? `${text.slice(0, MAX_CAPTION_LENGTH)}…` : text}`;
}
