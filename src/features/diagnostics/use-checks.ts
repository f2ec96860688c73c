import { useCallback, useEffect, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type Check, runCheck } from './check.ts';
import { CHECKS } from './checks/index.ts';
import type { CheckOutcomes } from './report.ts';

/**
 * Diagnostic checks: runs every check once when the page opens, and again on request. A running check has no outcome.
 */
export function useChecks(): {
  readonly outcomes: CheckOutcomes;
  /** Number of checks, from the first one on, that have completed at least once. */
  readonly completedCount: number;
  readonly done: boolean;
  readonly run: (checks: readonly Check[]) => void;
} {
  const services = useServices();
  const m = useMsg();
  const [outcomes, setOutcomes] = useState<CheckOutcomes>({});
  const completedCount = useCompletedCount(outcomes);
  const context = useRef({ services, m });
  useEffect(() => {
    context.current = { services, m };
  });
  const run = useCallback((checks: readonly Check[]) => {
    setOutcomes((previous) => ({ ...previous, ...Object.fromEntries(checks.map(({ id }) => [id, undefined])) }));
    const runGroup = async (group: Check['group']) => {
      for (const check of checks.filter((candidate) => candidate.group === group)) {
        const outcome = await runCheck(check, context.current);
        setOutcomes((previous) => ({ ...previous, [check.id]: outcome }));
      }
    };
    // Runs the checks of a group one after the other, so that each duration is that of its check. The groups run in
    // parallel: a group that hangs does not delay the others.
    for (const group of new Set(checks.map((check) => check.group))) void runGroup(group);
  }, []);
  useEffect(() => run(CHECKS), [run]);
  return { outcomes, completedCount, done: CHECKS.every(({ id }) => outcomes[id] !== undefined), run };
}

/**
 * Returns how many checks, from the first one on, have completed at least once. It never decreases: a row that was
 * shown stays visible while its check runs again.
 */
function useCompletedCount(outcomes: CheckOutcomes): number {
  const [completedCount, setCompletedCount] = useState(0);
  const firstRunning = CHECKS.findIndex(({ id }, index) => index >= completedCount && outcomes[id] === undefined);
  const newCount = firstRunning === -1 ? CHECKS.length : firstRunning;
  if (newCount > completedCount) setCompletedCount(newCount);
  return Math.max(newCount, completedCount);
}
