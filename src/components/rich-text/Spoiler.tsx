import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';

/** A moment in the reader's own words and zone. */
export function Moment({ time, children }: { time: number | undefined; children: ReactNode }) {
  const { fullDate } = useMsg();
  if (time === undefined || Math.abs(time) > 8.64e12) return children;
  return (
    <time dateTime={new Date(time * 1000).toISOString()} title={fullDate(time)}>
      {children}
    </time>
  );
}

/** Told to a whole text when one of its spoilers is opened: they belong together, and entities within may have cut one in two. */
const OPENED = 'spoiler-opened';

/**
 * Until it is opened a spoiler is a button, and its words are neither seen, read aloud nor selectable. It is no `button`
 * element, since that would not break over lines as its words do.
 */
export function Spoiler({ text, children }: { text: string; children: ReactNode }) {
  const { msg } = useMsg();
  const here = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const whole = here.current?.closest('.text');
    const reveal = () => setOpen(true);
    whole?.addEventListener(OPENED, reveal);
    return () => whole?.removeEventListener(OPENED, reveal);
  }, []);
  const reveal = () => {
    // What was the button keeps the focus: the reading goes on from here.
    setOpen(true);
    here.current?.closest('.text')?.dispatchEvent(new Event(OPENED));
  };
  const revealByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    reveal();
  };
  if (open) {
    return (
      <span ref={here} className="spoiler open" tabIndex={-1}>
        {children}
      </span>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it must break over lines
    <span
      ref={here}
      className="spoiler"
      role="button"
      tabIndex={0}
      aria-label={msg('Hidden text: show')}
      onClick={reveal}
      onKeyDown={revealByKey}
    >
      <span>{text}</span>
    </span>
  );
}
