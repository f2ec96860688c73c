import { type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { ExternalLink } from '../Link.tsx';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { PlayButton, SeekBar } from './audio-controls.tsx';
import { BackgroundAudioContext } from './background-audio.ts';
import { fetchPeaks, isWaveformCheap, WAVEFORM_BARS } from './waveform.ts';

interface AudioPlayerProps {
  readonly item: Media;
  readonly base: string;
  readonly name: string;
  /** The file's size, if known. */
  readonly sizeLabel: string;
}

const SPEEDS = [1, 1.5, 2];

/**
 * Audio player: plays a voice message or a piece of music inline. A voice message shows its waveform once playback has
 * started, and has a speed control.
 */
export function AudioPlayer({ item, base, name, sizeLabel }: AudioPlayerProps) {
  const messages = useMsg();
  const src = base + (item.src ?? '');
  const audio = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState<'paused' | 'playing' | 'failed'>('paused');
  const [hasStarted, setHasStarted] = useState(false);
  const [position, setPosition] = useState(0);
  const [duration, setDuration] = useState(item.duration ?? 0);
  const [speed, setSpeed] = useState(1);
  const peaks = useWaveformPeaks(item, src, hasStarted);
  const takeOverBackground = useBackgroundPlayback(audio, name, setSpeed);
  const seek = (seconds: number) => {
    if (audio.current !== null) audio.current.currentTime = seconds;
    setPosition(seconds);
  };
  const changeSpeed = () => {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
    if (audio.current !== null) audio.current.playbackRate = next;
    setSpeed(next);
  };
  const timeLabel = (clockText: (seconds: number) => string) => {
    if (hasStarted) return `${clockText(position)} / ${clockText(duration)}`;
    return duration > 0 && clockText(duration);
  };
  return (
    <CommonChunk>
      {({ clockText, pauseOtherPlayers }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div className="sound" role="group" aria-label={name}>
          {/* biome-ignore lint/a11y/useMediaCaption: channels provide no caption tracks */}
          <audio
            ref={audio}
            src={src}
            preload="none"
            onPlay={(event) => {
              event.currentTarget.playbackRate = takeOverBackground() ?? speed;
              pauseOtherPlayers(event);
              // A browser that allows autoplay may report an error before `play`. The state `failed` then stays.
              if (event.currentTarget.error === null) setState('playing');
              setHasStarted(true);
            }}
            onPause={() => setState((previous) => (previous === 'failed' ? previous : 'paused'))}
            onError={() => setState('failed')}
            onEnded={() => seek(0)}
            onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
            onDurationChange={({ currentTarget: { duration } }) => Number.isFinite(duration) && setDuration(duration)}
          />
          <PlayButton className="sound-play" playing={state === 'playing'} audio={() => audio.current} />
          <div className="sound-body">
            <bdi className="sound-name">{name}</bdi>
            <div className="sound-line" dir="ltr">
              <Waveform peaks={peaks} progress={duration > 0 ? position / duration : 0} />
              <SeekBar {...{ position, duration, seek }} />
            </div>
            <small>
              {state === 'failed' ? (
                <>
                  {messages.msg('This device cannot play it.')}{' '}
                  <ExternalLink href={src}>{messages.msg('Open the file')}</ExternalLink>
                </>
              ) : (
                <bdi>{[timeLabel(clockText), sizeLabel].filter(Boolean).join(' · ')}</bdi>
              )}
            </small>
          </div>
          {item.type === 'voice' && (
            <button
              type="button"
              className="sound-speed"
              aria-label={messages.msg(str`Speed: ${messages.number(speed)}`)}
              onClick={changeSpeed}
            >
              {messages.number(speed)}×
            </button>
          )}
        </div>
      )}
    </CommonChunk>
  );
}

/**
 * Geometry of a waveform, in units of its SVG: the distance between bars, the total height, and half of a bar's height.
 */
const BAR_STEP = 4;
const VIEW_HEIGHT = 24;
const MIN_HALF_HEIGHT = 0.6;
const MAX_HALF_HEIGHT = 10;

/**
 * Renders the bars of a waveform; low bars of equal height if it is unknown. The part that has been played is coloured.
 */
function Waveform({ peaks, progress }: { readonly peaks: readonly number[] | null; readonly progress: number }) {
  const bars = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => {
      const halfHeight = Math.max(MIN_HALF_HEIGHT, (peaks?.[from + index] ?? 0) * MAX_HALF_HEIGHT);
      return `M${(from + index + 0.5) * BAR_STEP} ${VIEW_HEIGHT / 2 - halfHeight}v${halfHeight * 2}`;
    }).join('');
  const played = Math.round(progress * WAVEFORM_BARS);
  return (
    <svg viewBox={`0 0 ${WAVEFORM_BARS * BAR_STEP} ${VIEW_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path className="played" d={bars(0, played)} />
      <path d={bars(played, WAVEFORM_BARS)} />
    </svg>
  );
}

/**
 * Background playback: continues a sound when its post unmounts, if the page around the list subscribes to it and so
 * can show its controls. Returns a function that stops the background sound. If that is the same file, the function
 * also sets this player to its position and speed, and returns the speed.
 */
function useBackgroundPlayback(
  audioRef: RefObject<HTMLAudioElement | null>,
  title: string,
  setSpeed: (speed: number) => void,
): () => number | undefined {
  const background = useContext(BackgroundAudioContext);
  const latest = useRef({ background, title });
  useEffect(() => {
    latest.current = { background, title };
  });
  useLayoutEffect(
    () => () => {
      const { current: audio } = audioRef;
      const { background, title } = latest.current;
      if (audio === null || audio.paused || audio.ended) return;
      // Without a subscriber there are no controls, so the reader could not stop the sound.
      if (background?.hasSubscribers() !== true) return audio.pause();
      // Moves the element within the same task, because an element that is outside the document for longer is paused.
      document.body.append(audio);
      background.set({ audio, title });
      const unsubscribe = background.subscribe(() => {
        if (background.get()?.audio === audio) return;
        unsubscribe();
        audio.pause();
        audio.remove();
      });
    },
    [audioRef],
  );
  return () => {
    const previous = background?.get()?.audio;
    if (previous === undefined) return;
    background?.set(null);
    if (audioRef.current?.src !== previous.src) return;
    audioRef.current.currentTime = previous.currentTime;
    setSpeed(previous.playbackRate);
    return previous.playbackRate;
  };
}

/** Returns the waveform of a voice message; null before it is needed and loaded, and if computing it costs too much. */
function useWaveformPeaks(item: Media, src: string, isNeeded: boolean): readonly number[] | null {
  const [peaks, setPeaks] = useState<readonly number[] | null>(null);
  const isEnabled = isNeeded && item.type === 'voice' && isWaveformCheap(item);
  useEffect(() => {
    if (!isEnabled) return;
    let isCancelled = false;
    fetchPeaks(src).then(
      (fetched) => isCancelled || setPeaks(fetched),
      () => {},
    );
    return () => {
      isCancelled = true;
    };
  }, [isEnabled, src]);
  return peaks;
}
