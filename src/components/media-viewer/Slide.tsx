import { useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { srcSet } from '../../lib/media-url.ts';
import { AnyIcon } from '../icons/AnyIcon.tsx';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { useOfflineImage } from '../media/offline-image-context.ts';
import { Placeholder } from '../media/Picture.tsx';

interface SlideProps {
  readonly item: Media;
  readonly base: string;
  /** Position: visible in the viewport, or off-screen on one side of it. */
  readonly side: 'here' | 'left' | 'right';
  readonly zoomed: boolean;
}

/** Returns true if an item is shown by a `video` element. */
export const isPlayable = ({ type, mime }: Media): boolean =>
  type === 'video' || type === 'video_note' || (type === 'animation' && mime?.startsWith('image/') !== true);

/**
 * Slide of the media viewer: one picture or video. The adjacent slides are rendered off-screen, so that they are loaded
 * when the reader steps to them.
 */
export function Slide({ item, base, side, zoomed }: SlideProps) {
  return (
    <div className={`viewer-slide ${side}${isPlayable(item) ? ' moving' : ''}`} inert={side !== 'here'}>
      {isPlayable(item) ? (
        <VideoSlide item={item} base={base} isCurrent={side === 'here'} />
      ) : (
        <PictureSlide {...{ item, base, zoomed }} />
      )}
    </div>
  );
}

/** Size of a picture until it is known, px. */
const FALLBACK_SIZE = { width: 800, height: 600 };

/**
 * Renders a picture. Its box has the final size before the picture has loaded. When it is zoomed, the browser loads the
 * largest size.
 */
function PictureSlide({ item, base, zoomed }: Pick<SlideProps, 'item' | 'base' | 'zoomed'>) {
  const { msg } = useMsg();
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const onError = useOfflineImage(() => setState('failed'));
  const [size, setSize] = useState(item.width && item.height ? { width: item.width, height: item.height } : null);
  const src = base + (item.src ?? '');
  const { width, height } = size ?? FALLBACK_SIZE;
  const box = { aspectRatio: width / height, inlineSize: `min(100cqi, 100cqb * ${width / height}, ${width * 2}px)` };
  return (
    <div className="viewer-picture" style={box}>
      {state !== 'shown' && <Placeholder colors={item.placeholder} />}
      {state === 'failed' ? (
        <p className="lost">
          <AnyIcon name="photo" />
          <span>{msg('Picture not available now')}</span>
        </p>
      ) : (
        <img
          sizes={zoomed ? '400vw' : '100vw'}
          srcSet={srcSet(src, item.width)}
          src={src}
          alt={msg('Photo')}
          draggable={false}
          decoding="async"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            setState('shown');
            if (size === null && naturalWidth > 0) setSize({ width: naturalWidth, height: naturalHeight });
          }}
          onError={onError}
        />
      )}
    </div>
  );
}

function VideoSlide({ item, base, isCurrent }: Pick<SlideProps, 'item' | 'base'> & { readonly isCurrent: boolean }) {
  const { msg } = useMsg();
  const poster = item.poster === undefined ? undefined : base + item.poster.src;
  const isAnimation = item.type === 'animation';
  return (
    <CommonChunk>
      {({ pauseOtherPlayers }) => (
        <video
          // The key remounts the video when it becomes visible, because `autoPlay` only has an effect on a new element.
          // A video that leaves the viewport stops.
          key={String(isCurrent)}
          src={base + (item.src ?? '')}
          poster={poster}
          width={item.width}
          height={item.height}
          preload={isCurrent ? 'auto' : 'none'}
          autoPlay={isCurrent}
          controls={isCurrent}
          loop={isAnimation}
          muted={isAnimation}
          playsInline
          aria-label={msg('Video')}
          onPlay={pauseOtherPlayers}
        />
      )}
    </CommonChunk>
  );
}
