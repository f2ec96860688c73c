import { type ReactNode, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { useOfflineImage } from './offline-image-context.ts';

interface StickerProps {
  readonly item: Media;
  readonly base: string;
  readonly name: string;
  /** Fallback if there is nothing to render. */
  readonly fallback: ReactNode;
}

/** Sticker: renders its file, otherwise its still picture, otherwise its emoji. */
export function Sticker({ item, base, name, fallback }: StickerProps) {
  const [failed, setFailed] = useState(false);
  const onError = useOfflineImage(() => setFailed(true));
  if (item.src !== undefined && item.mime?.startsWith('video/') === true) {
    return (
      <div className="sticker">
        {<CommonChunk>{({ VideoPlayer }) => <VideoPlayer item={item} base={base} name={name} />}</CommonChunk>}
      </div>
    );
  }
  const stillPicture = stillPictureOf(item);
  if (stillPicture !== undefined && !failed) {
    const { src, width = 512, height = 512 } = stillPicture;
    return (
      <div className="sticker">
        <img src={base + src} width={width} height={height} alt={name} loading="lazy" decoding="async" onError={onError} />
      </div>
    );
  }
  return item.emoji === undefined ? fallback : <p className="sticker emoji">{item.emoji}</p>;
}

/**
 * Returns the still picture of a sticker. Telegram's vector format (TGS) needs a renderer that we do not include, so
 * its poster is used.
 */
function stillPictureOf({
  src,
  mime,
  poster,
  width,
  height,
}: Media): { src: string; width?: number; height?: number } | undefined {
  if (src === undefined || mime === 'application/x-tgsticker') return poster;
  return { src, ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}
