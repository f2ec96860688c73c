import { str, useMsg } from '../../i18n/i18n.ts';
import { Outline } from '../icons/Icon.tsx';
import { PostIcon } from '../icons/PostIcon.tsx';
import { clockText } from './format-media.ts';

interface PlayButtonProps {
  readonly className: string;
  readonly playing: boolean;
  readonly audio: () => HTMLAudioElement | null;
}

/** Play/pause button of an audio player. */
export function PlayButton({ className, playing, audio }: PlayButtonProps) {
  const { msg } = useMsg();
  const toggle = () =>
    playing
      ? audio()?.pause()
      : void audio()
          ?.play()
          .catch(() => {});
  return (
    <button type="button" className={className} aria-label={playing ? msg('Pause') : msg('Play')} onClick={toggle}>
      {playing ? <Outline path="M8.500 6v12M15.500 6v12" heavy /> : <PostIcon name="play" filled />}
    </button>
  );
}

interface SeekBarProps {
  readonly position: number;
  readonly duration: number;
  seek(this: void, seconds: number): void;
}

/** Seek bar: shows and sets the playback position, in seconds. */
export function SeekBar({ position, duration, seek }: SeekBarProps) {
  const messages = useMsg();
  return (
    <input
      type="range"
      dir="ltr"
      min={0}
      max={Math.max(duration, 0.1)}
      step={Math.max(duration / 50, 0.1)}
      value={position}
      aria-label={messages.msg('Playback position')}
      aria-valuetext={messages.msg(str`${clockText(position)} of ${clockText(duration)}`)}
      onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
    />
  );
}
