import { type ReactNode, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';

interface LivePhotoProps {
  /** URL of the video clip. */
  readonly src: string;
  /** The photo, which remains below the clip. */
  readonly children: ReactNode;
}

/** Live photo: plays its clip under the mouse pointer, on keyboard focus, or after a tap on its badge. */
export function LivePhoto({ src, children }: LivePhotoProps) {
  const { msg } = useMsg();
  const [playing, setPlaying] = useState(false);
  const stop = () => setPlaying(false);
  const playIfMotionAllowed = () => setPlaying(!matchMedia('(prefers-reduced-motion: reduce)').matches);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button has the same function for all input devices
    <div
      className="live"
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && playIfMotionAllowed()}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && stop()}
      onFocus={({ target }) => target.matches('a:focus-visible') && playIfMotionAllowed()}
      onBlur={stop}
    >
      {children}
      {playing && <video src={src} autoPlay muted loop playsInline tabIndex={-1} aria-hidden="true" />}
      <button
        type="button"
        className="badge corner"
        aria-pressed={playing}
        aria-label={msg('Play live photo')}
        onClick={() => setPlaying(!playing)}
      >
        {msg('Live')}
      </button>
    </div>
  );
}
