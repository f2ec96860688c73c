import { type ReactNode, useState } from 'react';
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

// The same function each time, so that React calls it once: the button that had the focus is gone.
const takeFocus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });

/** Until it is opened a spoiler is one button, and its words are neither seen, read aloud nor selectable. */
export function Spoiler({ text, children }: { text: string; children: ReactNode }) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(false);
  if (open) {
    return (
      <span className="spoiler open" tabIndex={-1} ref={takeFocus}>
        {children}
      </span>
    );
  }
  return (
    <button type="button" className="spoiler" aria-label={msg('Hidden text: show')} onClick={() => setOpen(true)}>
      <span>{text}</span>
    </button>
  );
}
