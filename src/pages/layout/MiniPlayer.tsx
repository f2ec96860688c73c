import { useEffect, useRef, useState } from 'react';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { Cell } from '../../readable.ts';
import { Icon, Outline } from '../../ui/Icon.tsx';
import type { BackgroundSound } from '../../ui/media/background-sound.ts';
import { clockText } from '../../ui/media/measures.ts';
import { PartIcon } from '../../ui/PartIcon.tsx';
import { useStyle } from '../use-style.ts';
import styles from './mini-player.css';
import { useAboveTabs } from './use-above-tabs.ts';

const PAUSE = <Outline path="M8.500 6v12M15.500 6v12" heavy />;

interface MiniPlayerProps {
  readonly sound: BackgroundSound;
  readonly cell: Cell<BackgroundSound | null>;
}

/** Plays on what the reader left: above the tabs on a phone, in the corner of a desk. It goes at the sound's end. */
export function MiniPlayer({ sound, cell }: MiniPlayerProps) {
  const { audio, title } = sound;
  const m = useMsg();
  const style = useStyle(styles);
  const player = useRef<HTMLElement>(null);
  useAboveTabs(player);
  const { playing, time, length } = useProgress(audio);
  useEffect(() => {
    const end = () => cell.get()?.audio === audio && cell.set(null);
    audio.addEventListener('ended', end);
    return () => {
      audio.removeEventListener('ended', end);
      audio.pause();
      audio.remove();
      // With the frame goes what it plays: another reader is there, or nobody.
      end();
    };
  }, [audio, cell]);
  return (
    <div ref={style}>
      <section ref={player} className="mini-player" aria-label={title}>
        <button
          type="button"
          className="mini-play"
          aria-label={playing ? m.msg('Pause') : m.msg('Play')}
          onClick={() => (playing ? audio.pause() : void audio.play().catch(() => {}))}
        >
          {playing ? PAUSE : <PartIcon name="play" filled />}
        </button>
        <div className="mini-body">
          <p>
            <bdi className="mini-title">{title}</bdi>
            <span className="mini-time">
              <bdi>
                {clockText(time)} / {clockText(length)}
              </bdi>
            </span>
          </p>
          <input
            type="range"
            dir="ltr"
            min={0}
            max={Math.max(length, 0.1)}
            step={Math.max(length / 50, 0.1)}
            value={time}
            aria-label={m.msg('Place in the sound')}
            aria-valuetext={m.msg(str`${clockText(time)} of ${clockText(length)}`)}
            onChange={({ currentTarget }) => {
              audio.currentTime = Number(currentTarget.value);
            }}
          />
        </div>
        <button type="button" className="icon-button" aria-label={m.msg('Close')} onClick={() => cell.set(null)}>
          <Icon name="close" />
        </button>
      </section>
    </div>
  );
}

function useProgress(audio: HTMLAudioElement): { readonly playing: boolean; readonly time: number; readonly length: number } {
  const [progress, setProgress] = useState(() => progressOf(audio));
  useEffect(() => {
    const follow = () => setProgress(progressOf(audio));
    const events = ['play', 'pause', 'timeupdate', 'seeking', 'durationchange'];
    for (const event of events) audio.addEventListener(event, follow);
    follow();
    return () => {
      for (const event of events) audio.removeEventListener(event, follow);
    };
  }, [audio]);
  return progress;
}

const progressOf = ({ paused, currentTime, duration }: HTMLAudioElement) => ({
  playing: !paused,
  time: currentTime,
  length: Number.isFinite(duration) ? duration : 0,
});
