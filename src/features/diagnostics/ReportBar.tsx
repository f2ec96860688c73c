import { useRef, useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type CheckOutcomes, jsonReport, markdownReport } from './report.ts';

/** Diagnostics report: copies the report, or shows it for manual copying if the clipboard is unavailable. */
export function ReportBar({
  outcomes,
  checksDone,
  runAll,
  announce,
}: {
  readonly outcomes: CheckOutcomes;
  readonly checksDone: boolean;
  readonly runAll: () => void;
  readonly announce: (text: string) => void;
}) {
  const m = useMsg();
  const services = useServices();
  /** Report that the reader has to copy by hand; null if there is none. */
  const [manualText, setManualText] = useState<string | null>(null);
  const copy = (text: string) => {
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => announce(m.msg('The report is copied.')),
      () => setManualText(text),
    );
  };
  return (
    <div className="report-bar">
      <button type="button" className="button" disabled={!checksDone} onClick={runAll}>
        <AnyIcon name="refresh" small />
        {m.msg('Run all')}
      </button>
      <button
        type="button"
        className="button quiet"
        disabled={!checksDone}
        onClick={() => copy(markdownReport(m, outcomes, services))}
      >
        <AnyIcon name="copy" small />
        {m.msg('Copy report')}
      </button>
      <button
        type="button"
        className="button quiet"
        disabled={!checksDone}
        aria-label={m.msg('Copy report as JSON')}
        onClick={() => copy(jsonReport(m, outcomes, services))}
      >
        JSON
      </button>
      {manualText !== null && <ManualCopySheet text={manualText} onClose={() => setManualText(null)} />}
    </div>
  );
}

function ManualCopySheet({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const { msg } = useMsg();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <Sheet title={msg('The report')} onClose={onClose}>
      <p className="report-hint">{msg('The clipboard is refused here: copy the text by hand.')}</p>
      <textarea
        ref={field}
        className="report-text"
        dir="ltr"
        readOnly
        rows={12}
        aria-label={msg('The report')}
        value={text}
        onFocus={() => field.current?.select()}
      />
    </Sheet>
  );
}
