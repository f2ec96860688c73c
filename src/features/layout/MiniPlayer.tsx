import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { PlayButton, SeekBar } from '../../components/media/audio-controls.tsx';
import type { BackgroundAudio } from '../../components/media/background-audio.ts';
import { pauseOtherPlayers } from '../../components/media/exclusive-playback.ts';
import { clockText } from '../../components/media/format-media.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import { pageFocusSuccessor } from './focus-page.ts';
import styles from './mini-player.css';
import { useAboveTabs } from './UpdatePrompt.tsx';

export interface MiniPlayerProps {
  readonly sound: BackgroundAudio;
  readonly signal: WritableSignal<BackgroundAudio | null>;
}

/**
 * Mini player: continues the playback of a sound whose post the reader left. It is above the tabs on a phone, and in
 * the corner of a wide screen. It closes when the sound ends or fails.
 */
export function MiniPlayer({ sound, signal }: MiniPlayerProps) {
  const { audio, title } = sound;
  const m = useMsg();
  const style = useStylesheet(styles);
  const player = useRef<HTMLElement>(null);
  useAboveTabs(player);
  useLayoutEffect(() => pageFocusSuccessor(player.current), []);
  const { playing, time: position, length: duration } = useProgress(audio);
  useEffect(() => {
    const close = () => signal.set(null);
    const pauseOthers = () => pauseOtherPlayers({ currentTarget: audio });
    audio.addEventListener('ended', close);
    audio.addEventListener('error', close);
    audio.addEventListener('play', pauseOthers);
    if (audio.ended || audio.error !== null) close();
    return () => {
      audio.removeEventListener('ended', close);
      audio.removeEventListener('error', close);
      audio.removeEventListener('play', pauseOthers);
    };
  }, [audio, signal]);
  return (
    <div ref={style}>
      <section ref={player} className="mini-player" aria-label={title}>
        <PlayButton className="mini-play" playing={playing} audio={() => audio} />
        <div className="mini-body">
          <p>
            <bdi className="mini-title">{title}</bdi>
            <span className="mini-time">
              <bdi>
                {clockText(position)} / {clockText(duration)}
              </bdi>
            </span>
          </p>
          <SeekBar
            {...{ position, duration }}
            seek={(seconds) => {
              audio.currentTime = seconds;
            }}
          />
        </div>
        <button type="button" className="icon-button" aria-label={m.msg('Close')} onClick={() => signal.set(null)}>
          <Icon name="close" />
        </button>
      </section>
    </div>
  );
}

/** Returns the state of the playback; `time` and `length` in seconds, `length` 0 while it is unknown. */
function useProgress(audio: HTMLAudioElement): { readonly playing: boolean; readonly time: number; readonly length: number } {
  const [progress, setProgress] = useState(() => progressOf(audio));
  useEffect(() => {
    const update = () => setProgress(progressOf(audio));
    const events = ['play', 'pause', 'timeupdate', 'seeking', 'durationchange'];
    for (const event of events) audio.addEventListener(event, update);
    update();
    return () => {
      for (const event of events) audio.removeEventListener(event, update);
    };
  }, [audio]);
  return progress;
}

const progressOf = ({ paused, currentTime, duration }: HTMLAudioElement) => ({
  playing: !paused,
  time: currentTime,
  length: Number.isFinite(duration) ? duration : 0,
});
