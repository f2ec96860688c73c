import { useEffect, useId, useState } from 'react';
import { str, useMsg } from '../../i18n/i18n.ts';
import { focusOnMount } from './shared.ts';
import type { ImportState } from './use-import.ts';

type ImportProgressPanelProps = Extract<ImportState, { type: 'running' }> & { readonly stop: () => void };

/** Import progress: the position in the list, and the remaining time if the server asks to wait. */
export function ImportProgressPanel({ outline, done, total, resumesAt, stop }: ImportProgressPanelProps) {
  const m = useMsg();
  const id = useId();
  return (
    <div className="exchange">
      <p id={id} className="sheet-note" tabIndex={-1} ref={focusOnMount}>
        {m.msg(str`${m.number(done + 1)} of ${m.number(total)}`)}: <bdi>{outline.title}</bdi>
      </p>
      <progress aria-labelledby={id} value={done} max={total} />
      <p className="sheet-note" role="status">
        {resumesAt !== null && m.msg('The server asks to wait a moment. The import then continues automatically.')}
      </p>
      <div className="sheet-actions">
        {resumesAt !== null && <Countdown until={resumesAt} />}
        <button type="button" className="button quiet" onClick={stop}>
          {m.msg('Stop and keep what was added')}
        </button>
      </div>
    </div>
  );
}

/** Countdown: shows the remaining time, as 1:05. `until` is in unix ms. */
function Countdown({ until }: { readonly until: number }) {
  const m = useMsg();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const remainingSeconds = Math.max(0, Math.ceil((until - now) / 1000));
  const seconds = new Intl.NumberFormat(m.localeTag(), { minimumIntegerDigits: 2 }).format(remainingSeconds % 60);
  return (
    <span className="countdown" role="timer" aria-live="off">
      {m.number(Math.floor(remainingSeconds / 60))}:{seconds}
    </span>
  );
}
