import { useRef, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { PostIcon } from '../icons/PostIcon.tsx';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';

interface RoundVideoProps {
  readonly item: Media;
  readonly base: string;
  readonly name: string;
}

/**
 * Round video (Telegram's video message). The round shape would cut off the native controls, so a tap plays the video
 * and a ring shows the progress.
 */
export function RoundVideo({ item, base, name }: RoundVideoProps) {
  const { msg } = useMsg();
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(false);
  const [progress, setProgress] = useState(0);
  const toggle = () => (playing ? video.current?.pause() : void video.current?.play().catch(() => setPlaying(false)));
  const { poster, duration } = item;
  return (
    <div className="round">
      <CommonChunk>
        {({ pauseOtherPlayers, clockText }) => (
          <>
            <video
              ref={video}
              src={base + (item.src ?? '')}
              {...(poster !== undefined && { poster: base + poster.src })}
              preload={poster === undefined ? 'metadata' : 'none'}
              playsInline
              aria-label={name}
              onPlay={(event) => {
                pauseOtherPlayers(event);
                setPlaying(true);
              }}
              onPause={() => setPlaying(false)}
              onTimeUpdate={({ currentTarget: element }) =>
                setProgress(element.duration > 0 ? element.currentTime / element.duration : 0)
              }
              onEnded={() => setProgress(0)}
            />
            <svg viewBox="0 0 100 100" className="ring" aria-hidden="true">
              <circle cx="50" cy="50" r="49" pathLength="1" strokeDasharray={`${progress} 1`} />
            </svg>
            <button type="button" aria-pressed={playing} aria-label={msg('Play the video message')} onClick={toggle}>
              {!playing && (
                <span className="play">
                  <PostIcon name="play" filled />
                </span>
              )}
            </button>
            {duration !== undefined && !playing && <span className="badge clock">{clockText(duration)}</span>}
          </>
        )}
      </CommonChunk>
    </div>
  );
}
