import { useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { srcSet } from '../../lib/media-url.ts';
import { AnyIcon } from '../icons/AnyIcon.tsx';
import { Part } from '../lazy-chunks/lazy-chunks.tsx';
import { useKept } from '../media/offline-image-context.ts';
import { Placeholder } from '../media/Picture.tsx';

interface SlideProps {
  readonly item: Media;
  readonly base: string;
  /** Where it lies: on the stage, or waiting on one side of it. */
  readonly side: 'here' | 'left' | 'right';
  readonly zoomed: boolean;
}

export const isMoving = ({ type, mime }: Media): boolean =>
  type === 'video' || type === 'video_note' || (type === 'animation' && mime?.startsWith('image/') !== true);

/** One picture or video of the viewer; those beside it wait out of sight, so that they are there when they are wanted. */
export function Slide({ item, base, side, zoomed }: SlideProps) {
  return (
    <div className={`viewer-slide ${side}${isMoving(item) ? ' moving' : ''}`} inert={side !== 'here'}>
      {isMoving(item) ? <Moving item={item} base={base} here={side === 'here'} /> : <Still {...{ item, base, zoomed }} />}
    </div>
  );
}

/** Stands in its place before it is there; once it is zoomed, the largest of its sizes comes. */
function Still({ item, base, zoomed }: Pick<SlideProps, 'item' | 'base' | 'zoomed'>) {
  const { msg } = useMsg();
  const [state, setState] = useState<'coming' | 'shown' | 'failed'>('coming');
  const onError = useKept(() => setState('failed'));
  const [size, setSize] = useState(item.width && item.height ? { width: item.width, height: item.height } : null);
  const src = base + (item.src ?? '');
  const { width, height } = size ?? { width: 800, height: 600 };
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

function Moving({ item, base, here }: Pick<SlideProps, 'item' | 'base'> & { readonly here: boolean }) {
  const { msg } = useMsg();
  const poster = item.poster === undefined ? undefined : base + item.poster.src;
  const silent = item.type === 'animation';
  return (
    <Part>
      {({ stopOthers }) => (
        <video
          // A new one when it comes onto the stage, since only then it may begin by itself; one that leaves falls silent.
          key={String(here)}
          src={base + (item.src ?? '')}
          poster={poster}
          width={item.width}
          height={item.height}
          preload={here ? 'auto' : 'none'}
          autoPlay={here}
          controls={here}
          loop={silent}
          muted={silent}
          playsInline
          aria-label={msg('Video')}
          onPlay={stopOthers}
        />
      )}
    </Part>
  );
}
