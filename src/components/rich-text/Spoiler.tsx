// Spoiler text, and dates of a text in local time.
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';

/** Maximum absolute time that a JavaScript date can represent, unix seconds. */
const MAX_DATE_SECONDS = 8.64e12;

/** Local time: renders a date of a text, in the reader's language and time zone. `time` is in unix seconds. */
export function LocalTime({ time, children }: { time: number | undefined; children: ReactNode }) {
  const { fullDate } = useMsg();
  if (time === undefined || Math.abs(time) > MAX_DATE_SECONDS) return children;
  return (
    <time dateTime={new Date(time * 1000).toISOString()} title={fullDate(time)}>
      {children}
    </time>
  );
}

/** Event that opens all spoilers of a text together: an entity inside a spoiler may have split it into two runs. */
const SPOILER_OPENED_EVENT = 'spoiler-opened';

/**
 * Spoiler text. Until it is opened, it is a button whose text is not visible, not announced by screen readers and not selectable.
 * It is not a `button` element, because that would not wrap over lines like text.
 */
export function Spoiler({ text, children }: { text: string; children: ReactNode }) {
  const { msg } = useMsg();
  const element = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const textElement = element.current?.closest('.text');
    const handleOpened = () => setOpen(true);
    textElement?.addEventListener(SPOILER_OPENED_EVENT, handleOpened);
    return () => textElement?.removeEventListener(SPOILER_OPENED_EVENT, handleOpened);
  }, []);
  const reveal = () => {
    // The element that was the button keeps the focus, so that reading continues from here.
    setOpen(true);
    element.current?.closest('.text')?.dispatchEvent(new Event(SPOILER_OPENED_EVENT));
  };
  const revealByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    reveal();
  };
  if (open) {
    return (
      <span ref={element} className="spoiler open" tabIndex={-1}>
        {children}
      </span>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: its text must wrap over lines
    <span
      ref={element}
      className="spoiler"
      role="button"
      tabIndex={0}
      aria-label={msg('Show hidden text')}
      onClick={reveal}
      onKeyDown={revealByKey}
    >
      <span>{text}</span>
    </span>
  );
}
