import { useState } from 'react';
import { AnyIcon, type AnyIconName } from '../../components/icons/AnyIcon.tsx';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { Check, CheckOutcome, CheckResult } from './check.ts';

const ICONS: Record<CheckResult, AnyIconName> = { pass: 'check', warn: 'warning', fail: 'close', 'n/a': 'info' };

interface CheckRowProps {
  readonly check: Check;
  /** Undefined while the check runs. */
  readonly outcome: CheckOutcome | undefined;
  /** True for a row that is hidden but reserves its space. */
  readonly isHidden: boolean;
  readonly run: () => void;
}

/** Check row: result as an icon and a word, the finding, the remedy, and the duration. */
export function CheckRow({ check, outcome, isHidden, run }: CheckRowProps) {
  const m = useMsg();
  const lastOutcome = useLastOutcome(outcome);
  const title = check.title(m);
  return (
    <li
      className={`check ${outcome === undefined ? 'running' : outcome.result.replace('/', '')}${isHidden ? ' later' : ''}`}
      aria-busy={outcome === undefined}
    >
      <span className="check-sign">{outcome !== undefined && <AnyIcon name={ICONS[outcome.result]} />}</span>
      <div className="check-text">
        <h3>
          {title} <Verdict key={lastOutcome === undefined ? 'none' : 'some'} outcome={lastOutcome} />
        </h3>
        {lastOutcome === undefined ? <span className="bone check-bone" /> : <p dir="auto">{lastOutcome.detail}</p>}
        {lastOutcome?.remedy !== undefined && <p className="check-remedy">{lastOutcome.remedy}</p>}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={m.msg(str`Run again: ${title}`)}
        disabled={outcome === undefined}
        onClick={run}
      >
        <AnyIcon name="refresh" small />
      </button>
    </li>
  );
}

/**
 * Returns the outcome or, while the check runs again, the previous one: otherwise the rows below would move up and
 * down.
 */
function useLastOutcome(outcome: CheckOutcome | undefined): CheckOutcome | undefined {
  const [lastOutcome, setLastOutcome] = useState(outcome);
  if (outcome !== undefined && outcome !== lastOutcome) setLastOutcome(outcome);
  return outcome ?? lastOutcome;
}

function Verdict({ outcome }: { readonly outcome: CheckOutcome | undefined }) {
  const { msg, number } = useMsg();
  if (outcome === undefined) return <small>{msg('running')}</small>;
  const resultTexts: Record<CheckResult, string> = {
    pass: msg('pass'),
    warn: msg('warning'),
    fail: msg('failed'),
    'n/a': msg('not applicable'),
  };
  return (
    <small>
      <b>{resultTexts[outcome.result]}</b> {msg(str`${number(outcome.ms)} ms`)}
    </small>
  );
}
