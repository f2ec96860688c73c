import { useEffect, useRef, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { PostIcon } from '../icons/PostIcon.tsx';
import { pauseOtherPlayers } from './exclusive-playback.ts';

interface VideoPlayerProps {
  readonly item: Media;
  readonly base: string;
  readonly name: string;
}

const posterOf = (item: Media, base: string) => (item.poster === undefined ? {} : { poster: base + item.poster.src });

/** Video player: plays videos and animations in a box that has its final size before the file has loaded. */
export function VideoPlayer(props: VideoPlayerProps) {
  const { item } = props;
  switch (item.type) {
    case 'sticker':
    case 'animation':
      return <LoopPlayer {...props} />;
    default:
      return <Video {...props} />;
  }
}

/**
 * Plays a video inline with the native controls. The video is not fetched before it plays; only its metadata, if it has
 * no poster.
 */
function Video({ item, base, name }: VideoPlayerProps) {
  return (
    <video
      src={base + (item.src ?? '')}
      {...posterOf(item, base)}
      preload={item.poster === undefined ? 'metadata' : 'none'}
      controls
      playsInline
      aria-label={name}
      onPlay={pauseOtherPlayers}
    />
  );
}

/** Plays a silent loop while it is in the viewport. A tap pauses it. With reduced motion it starts only on a tap. */
function LoopPlayer({ item, base, name }: VideoPlayerProps) {
  const { msg } = useMsg();
  const video = useRef<HTMLVideoElement>(null);
  const shouldPlay = useRef(true);
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    shouldPlay.current = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true && shouldPlay.current) void element.play().catch(() => {});
        else element.pause();
      },
      { threshold: 0.5 },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const toggle = () => {
    shouldPlay.current = !playing;
    if (playing) video.current?.pause();
    else void video.current?.play().catch(() => {});
  };
  return (
    <>
      <video
        ref={video}
        src={base + (item.src ?? '')}
        {...posterOf(item, base)}
        preload="none"
        muted
        loop
        playsInline
        aria-label={name}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      <button type="button" className="loop" aria-pressed={playing} aria-label={msg('Play the loop')} onClick={toggle}>
        {!playing && (
          <span className="play">
            <PostIcon name="play" filled />
          </span>
        )}
      </button>
    </>
  );
}
