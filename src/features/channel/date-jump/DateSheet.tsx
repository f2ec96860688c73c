import { type FormEvent, useId, useRef, useState } from 'react';
import { type Anchor, Sheet } from '../../../components/Sheet.tsx';
import sheet from '../../../components/styles/sheet.css';
import { useStylesheet } from '../../../hooks/use-stylesheet.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { useAreaMessages } from '../../../i18n/lazy-messages.ts';
import { toIsoDate } from '../../search/search-params.ts';
import styles from './date-sheet.css';

interface DateSheetProps {
  /** The day that is shown now, as 2026-01-31; '' for the newest posts. */
  readonly date: string;
  readonly anchor: Anchor;
  /** Receives the chosen day, or '' for today, whose list is the newest posts. */
  onDate(date: string): void;
  readonly onClose: () => void;
}

const MIN_DATE = '2000-01-01';

/** Date jump: asks for the day at which a channel's list starts. */
export function DateSheet({ date, anchor, onDate, onClose }: DateSheetProps) {
  const { msg } = useMsg();
  const hasMessages = useAreaMessages('jump');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [today] = useState(() => toIsoDate(new Date()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const day = field.current?.value ?? '';
    if (day === '') return;
    onClose();
    onDate(day === today ? '' : day);
  };
  return (
    <>
      <Style />
      {hasMessages && (
        <Sheet title={msg('Go to a date')} anchor={anchor} onClose={onClose}>
          <form className="date-jump" onSubmit={submit}>
            <label htmlFor={id}>{msg('Shows the posts of this day, or the nearest before it.')}</label>
            <input ref={field} id={id} type="date" required defaultValue={date || today} min={MIN_DATE} max={today} />
            <button type="submit" className="button">
              {msg('Show posts')}
            </button>
          </form>
        </Sheet>
      )}
    </>
  );
}

const STYLES = sheet + styles;

/** Mounts the styles before the sheet, because the sheet measures itself when it opens. */
function Style() {
  return <div ref={useStylesheet(STYLES)} hidden />;
}
