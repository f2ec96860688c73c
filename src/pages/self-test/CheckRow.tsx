import { str, useMsg } from '../../i18n/i18n.ts';
import { AnyIcon, type AnyIconName } from '../../ui/AnyIcon.tsx';
import type { Check, Outcome, Result } from './check.ts';

const ICONS: Record<Result, AnyIconName> = { pass: 'check', warn: 'warning', fail: 'close', 'n/a': 'info' };

interface CheckRowProps {
  readonly check: Check;
  /** Undefined while it runs. */
  readonly outcome: Outcome | undefined;
  readonly run: () => void;
}

/** One check: its result by sign and word, what it found, what to do, and how long it took. */
export function CheckRow({ check, outcome, run }: CheckRowProps) {
  const m = useMsg();
  const title = check.title(m);
  return (
    <li
      className={`check ${outcome === undefined ? 'running' : outcome.result.replace('/', '')}`}
      aria-busy={outcome === undefined}
    >
      <span className="check-sign">{outcome !== undefined && <AnyIcon name={ICONS[outcome.result]} />}</span>
      <div className="check-text">
        <h3>
          {title} <Verdict outcome={outcome} />
        </h3>
        {outcome === undefined ? <span className="bone check-bone" /> : <p dir="auto">{outcome.detail}</p>}
        {outcome?.remedy !== undefined && <p className="check-remedy">{outcome.remedy}</p>}
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

function Verdict({ outcome }: { readonly outcome: Outcome | undefined }) {
  const { msg, number } = useMsg();
  if (outcome === undefined) return <small>{msg('running')}</small>;
  const words: Record<Result, string> = {
    pass: msg('pass'),
    warn: msg('warning'),
    fail: msg('failed'),
    'n/a': msg('not applicable'),
  };
  return (
    <small>
      <b>{words[outcome.result]}</b> {msg(str`${number(outcome.ms)} ms`)}
    </small>
  );
}
