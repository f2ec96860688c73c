import { useCallback, useEffect, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type Check, runCheck } from './check.ts';
import { CHECKS } from './checks/index.ts';
import type { CheckOutcomes } from './report.ts';

/** Runs every check once when the page opens, and again on request. A running check has no outcome. */
export function useChecks(): {
  readonly outcomes: CheckOutcomes;
  /** Number of checks, from the first one on, that have completed at least once. */
  readonly settled: number;
  readonly done: boolean;
  readonly run: (checks: readonly Check[]) => void;
} {
  const services = useServices();
  const m = useMsg();
  const [outcomes, setOutcomes] = useState<CheckOutcomes>({});
  const settled = useFinishedCount(outcomes);
  const bench = useRef({ services, m });
  useEffect(() => {
    bench.current = { services, m };
  });
  const run = useCallback((checks: readonly Check[]) => {
    setOutcomes((before) => ({ ...before, ...Object.fromEntries(checks.map(({ id }) => [id, undefined])) }));
    const runInTurn = async (group: Check['group']) => {
      for (const check of checks.filter((candidate) => candidate.group === group)) {
        const outcome = await runCheck(check, bench.current);
        setOutcomes((before) => ({ ...before, [check.id]: outcome }));
      }
    };
    // Runs the checks of a group one after the other, so that each duration is that of its check. The groups run in parallel: a
    // group that hangs does not delay the others.
    for (const group of new Set(checks.map((check) => check.group))) void runInTurn(group);
  }, []);
  useEffect(() => run(CHECKS), [run]);
  return { outcomes, settled, done: CHECKS.every(({ id }) => outcomes[id] !== undefined), run };
}

/** Never decreases: a row that was shown stays visible while its check runs again. */
function useFinishedCount(outcomes: CheckOutcomes): number {
  const [settled, setSettled] = useState(0);
  const running = CHECKS.findIndex(({ id }, index) => index >= settled && outcomes[id] === undefined);
  const reached = running === -1 ? CHECKS.length : running;
  if (reached > settled) setSettled(reached);
  return Math.max(reached, settled);
}
