import { useEffect, useState } from 'react';
import { useMsg } from '../i18n/i18n.ts';
import { AnyIcon } from '../ui/AnyIcon.tsx';
import { CheckRow } from './self-test/CheckRow.tsx';
import { CHECKS, groups } from './self-test/checks/all.ts';
import { Repair } from './self-test/Repair.tsx';
import { ReportBar } from './self-test/ReportBar.tsx';
import { summaryText, tally } from './self-test/report.ts';
import { useChecks } from './self-test/use-checks.ts';
import { useServices } from './services.ts';

/** Live checks of what holds the app, with a report to copy. It needs no sign-in, and nothing of it loads later. */
export function SelfTestPage() {
  const m = useMsg();
  const { site } = useServices();
  const { outcomes, done, run } = useChecks();
  const [said, say] = useState('');
  const [repairing, setRepairing] = useState(false);
  const summary = summaryText(m, outcomes);
  useEffect(() => {
    if (done) say(summary);
  }, [done, summary]);
  const { fail, warn } = tally(outcomes);
  const verdict = fail > 0 ? m.msg('Something is broken') : warn > 0 ? m.msg('It works, with remarks') : m.msg('All is well');
  return (
    <div className="self-test">
      <header className="top">
        <div className="bar">
          <h1>{m.msg('Check')}</h1>
        </div>
      </header>
      <section className={`verdict ${!done ? 'running' : fail > 0 ? 'fail' : warn > 0 ? 'warn' : 'pass'}`} aria-busy={!done}>
        <span className="verdict-sign">
          <AnyIcon name={!done ? 'refresh' : fail > 0 ? 'close' : warn > 0 ? 'warning' : 'done'} />
        </span>
        <div>
          <h2>{done ? verdict : m.msg('Checking…')}</h2>
          <p key={summary}>{summary}</p>
        </div>
        <ReportBar outcomes={outcomes} done={done} runAll={() => run(CHECKS)} say={say} />
      </section>
      {groups(m).map(([group, heading]) => (
        <section key={group} className="check-group" aria-labelledby={`checks-${group}`}>
          <h2 id={`checks-${group}`}>{heading}</h2>
          <ul>
            {CHECKS.filter((check) => check.group === group).map((check) => (
              <CheckRow key={check.id} check={check} outcome={outcomes[check.id]} run={() => run([check])} />
            ))}
          </ul>
        </section>
      ))}
      {!site.embedded && (
        <section className="check-group repair" aria-labelledby="repair">
          <h2 id="repair">{m.msg('If nothing else helps')}</h2>
          <button type="button" className="button outline" aria-haspopup="dialog" onClick={() => setRepairing(true)}>
            {m.msg('Repair and reset…')}
          </button>
        </section>
      )}
      <p role="status" className="hidden">
        {said}
      </p>
      {repairing && <Repair onClose={() => setRepairing(false)} />}
    </div>
  );
}
