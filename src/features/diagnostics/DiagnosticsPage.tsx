import { useEffect, useState } from 'react';
import { useContentReport } from '../../components/content-status.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { CheckRow } from './CheckRow.tsx';
import type { Check } from './check.ts';
import { CHECKS, checkGroups } from './checks/index.ts';
import { ReportBar } from './ReportBar.tsx';
import { ResetSheet } from './ResetSheet.tsx';
import { countResults, summaryText } from './report.ts';
import { useChecks } from './use-checks.ts';

/**
 * Diagnostics page: live checks of the app's environment, with a report to copy. It needs no sign-in, and no further
 * code after it is open. The height of a finding is not known in advance: a row is shown only when the checks
 * above it have completed, so that no visible row moves.
 */
export function DiagnosticsPage() {
  const hasMessages = useAreaMessages('self-test');
  useContentReport(hasMessages ? null : 'loading');
  return hasMessages ? <Checks /> : null;
}

const VERDICT_ICONS = { running: 'refresh', pass: 'done', warn: 'warning', fail: 'close' } as const;

function Checks() {
  const m = useMsg();
  const { environment } = useServices();
  const { outcomes, completedCount, done, run } = useChecks();
  const [announcement, announce] = useState('');
  const [isResetOpen, setResetOpen] = useState(false);
  const summary = summaryText(m, outcomes);
  useEffect(() => {
    if (done) announce(summary);
  }, [done, summary]);
  const { fail, warn } = countResults(outcomes);
  const passOrWarn = warn > 0 ? 'warn' : 'pass';
  const finalResult = fail > 0 ? 'fail' : passOrWarn;
  const result = done ? finalResult : 'running';
  const verdicts = {
    running: m.msg('Checking…'),
    pass: m.msg('Everything works'),
    warn: m.msg('It works, with warnings'),
    fail: m.msg('Something is broken'),
  };
  return (
    <div className="self-test">
      <header className="top">
        <div className="bar">
          <h1>{m.msg('Check this app')}</h1>
        </div>
      </header>
      <section className={`verdict ${result}`} aria-busy={!done}>
        <span className="verdict-sign">
          <AnyIcon name={VERDICT_ICONS[result]} />
        </span>
        <div>
          <h2>
            <FixedWidthText choices={verdicts} choice={result} />
          </h2>
          <p key={summary}>{summary}</p>
        </div>
        <ReportBar outcomes={outcomes} checksDone={done} runAll={() => run(CHECKS)} announce={announce} />
      </section>
      {checkGroups(m).map(([group, heading]) => (
        <section
          key={group}
          className={`check-group${firstIndexOf(group) > completedCount ? ' later' : ''}`}
          aria-labelledby={`checks-${group}`}
        >
          <h2 id={`checks-${group}`}>{heading}</h2>
          <ul>
            {CHECKS.map(
              (check, index) =>
                check.group === group && (
                  <CheckRow
                    key={check.id}
                    check={check}
                    outcome={outcomes[check.id]}
                    isHidden={index > completedCount}
                    run={() => run([check])}
                  />
                ),
            )}
          </ul>
        </section>
      ))}
      {!environment.embedded && (
        <section className={`check-group repair${completedCount < CHECKS.length ? ' later' : ''}`} aria-labelledby="repair">
          <h2 id="repair">{m.msg('If nothing else helps')}</h2>
          <button type="button" className="button outline" aria-haspopup="dialog" onClick={() => setResetOpen(true)}>
            {m.msg('Repair and reset…')}
          </button>
        </section>
      )}
      <p role="status" className="hidden">
        {announcement}
      </p>
      {isResetOpen && <ResetSheet onClose={() => setResetOpen(false)} />}
    </div>
  );
}

/** Returns the index of the first check of a group. */
const firstIndexOf = (group: Check['group']): number => CHECKS.findIndex((check) => check.group === group);

/**
 * Shows one of several texts, in the space of the longest one. The class `later` hides the others and leaves their
 * space.
 */
function FixedWidthText<Name extends string>({
  choices,
  choice,
}: {
  readonly choices: Record<Name, string>;
  readonly choice: Name;
}) {
  return (
    <span className="one-of">
      {Object.entries<string>(choices).map(([name, text]) => (
        <span key={name} className={name === choice ? undefined : 'later'}>
          {text}
        </span>
      ))}
    </span>
  );
}
