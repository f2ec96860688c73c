import { type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { Outline } from '../Icon.tsx';
import { Out } from '../Link.tsx';
import { PartIcon } from '../PartIcon.tsx';
import { Part } from '../parts.tsx';
import { BackgroundSoundContext } from './background-sound.ts';
import { BARS, isCheap, readPeaks } from './peaks.ts';

interface SoundProps {
  readonly item: Media;
  readonly base: string;
  readonly name: string;
  /** Its size, where it is known. */
  readonly note: string;
}

const PAUSE = <Outline path="M8.500 6v12M15.500 6v12" heavy />;
const SPEEDS = [1, 1.5, 2];

/** Plays a voice or a piece of music in its row; a voice has its waveform once it has been played, and can be hurried. */
export function Sound({ item, base, name, note }: SoundProps) {
  const m = useMsg();
  const src = base + (item.src ?? '');
  const audio = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState<'still' | 'playing' | 'failed'>('still');
  const [begun, setBegun] = useState(false);
  const [time, setTime] = useState(0);
  const [length, setLength] = useState(item.duration ?? 0);
  const [speed, setSpeed] = useState(1);
  const peaks = usePeaks(item, src, begun);
  const takeBack = useBackground(audio, name);
  const playing = state === 'playing';
  const toggle = () => (playing ? audio.current?.pause() : void audio.current?.play().catch(() => {}));
  const seek = (to: number) => {
    if (audio.current !== null) audio.current.currentTime = to;
    setTime(to);
  };
  const hurry = () => {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
    if (audio.current !== null) audio.current.playbackRate = next;
    setSpeed(next);
  };
  return (
    <Part>
      {({ clockText, stopOthers }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div className="sound" role="group" aria-label={name}>
          {/* biome-ignore lint/a11y/useMediaCaption: channels give no caption tracks */}
          <audio
            ref={audio}
            src={src}
            preload="none"
            onPlay={(event) => {
              takeBack();
              stopOthers(event);
              event.currentTarget.playbackRate = speed;
              // A browser that may play at once reports the failure first.
              if (event.currentTarget.error === null) setState('playing');
              setBegun(true);
            }}
            onPause={() => setState((now) => (now === 'failed' ? now : 'still'))}
            onError={() => setState('failed')}
            onEnded={() => seek(0)}
            onTimeUpdate={({ currentTarget }) => setTime(currentTarget.currentTime)}
            onDurationChange={({ currentTarget: { duration } }) => Number.isFinite(duration) && setLength(duration)}
          />
          <button type="button" className="sound-play" aria-label={playing ? m.msg('Pause') : m.msg('Play')} onClick={toggle}>
            {playing ? PAUSE : <PartIcon name="play" filled />}
          </button>
          <div className="sound-body">
            <bdi className="sound-name">{name}</bdi>
            <div className="sound-line" dir="ltr">
              <Wave peaks={peaks} share={length > 0 ? time / length : 0} />
              <input
                type="range"
                min={0}
                max={Math.max(length, 0.1)}
                step={Math.max(length / 50, 0.1)}
                value={time}
                aria-label={m.msg('Place in the sound')}
                aria-valuetext={m.msg(str`${clockText(time)} of ${clockText(length)}`)}
                onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
              />
            </div>
            <small>
              {state === 'failed' ? (
                <>
                  {m.msg('This device cannot play it.')} <Out href={src}>{m.msg('Open the file')}</Out>
                </>
              ) : (
                <bdi>
                  {[begun ? `${clockText(time)} / ${clockText(length)}` : length > 0 && clockText(length), note]
                    .filter(Boolean)
                    .join(' · ')}
                </bdi>
              )}
            </small>
          </div>
          {item.type === 'voice' && (
            <button type="button" className="sound-speed" aria-label={m.msg(str`Speed: ${m.number(speed)}`)} onClick={hurry}>
              {m.number(speed)}×
            </button>
          )}
        </div>
      )}
    </Part>
  );
}

/** The bars of a waveform; level ones where it is not known. What has been played is in colour. */
function Wave({ peaks, share }: { readonly peaks: readonly number[] | null; readonly share: number }) {
  const bars = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => {
      const half = Math.max(0.6, (peaks?.[from + index] ?? 0) * 10);
      return `M${(from + index) * 4 + 2} ${12 - half}v${half * 2}`;
    }).join('');
  const played = Math.round(share * BARS);
  return (
    <svg viewBox={`0 0 ${BARS * 4} 24`} preserveAspectRatio="none" aria-hidden="true">
      <path className="played" d={bars(0, played)} />
      <path d={bars(played, BARS)} />
    </svg>
  );
}

/** Has a sound that plays go on when its post goes. Returns what ends the one in the background, and goes on with it if it is the same. */
function useBackground(own: RefObject<HTMLAudioElement | null>, title: string): () => void {
  const background = useContext(BackgroundSoundContext);
  const latest = useRef({ background, title });
  useEffect(() => {
    latest.current = { background, title };
  });
  useLayoutEffect(
    () => () => {
      const { current: audio } = own;
      const { background, title } = latest.current;
      if (background === undefined || audio === null || audio.paused || audio.ended) return;
      // Within the same task: an element that is out of the document for longer is paused.
      document.body.append(audio);
      background.set({ audio, title });
    },
    [own],
  );
  return () => {
    const former = background?.get();
    if (former == null) return;
    if (own.current?.src === former.audio.src) own.current.currentTime = former.audio.currentTime;
    background?.set(null);
  };
}

/** Gives a voice's waveform once it is wanted; null until it is there, and where it costs too much. */
function usePeaks(item: Media, src: string, wanted: boolean): readonly number[] | null {
  const [peaks, setPeaks] = useState<readonly number[] | null>(null);
  const reads = wanted && item.type === 'voice' && isCheap(item);
  useEffect(() => {
    if (!reads) return;
    let gone = false;
    readPeaks(src).then(
      (read) => gone || setPeaks(read),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [reads, src]);
  return peaks;
}
