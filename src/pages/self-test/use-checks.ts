import { useCallback, useEffect, useRef, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { useServices } from '../services.ts';
import { type Check, runCheck } from './check.ts';
import { CHECKS } from './checks/all.ts';
import type { Outcomes } from './report.ts';

/** Runs every check once when the page opens, and again when asked; a check that runs has no outcome. */
export function useChecks(): {
  readonly outcomes: Outcomes;
  readonly done: boolean;
  readonly run: (checks: readonly Check[]) => void;
} {
  const services = useServices();
  const m = useMsg();
  const [outcomes, setOutcomes] = useState<Outcomes>({});
  const bench = useRef({ services, m });
  useEffect(() => {
    bench.current = { services, m };
  });
  const run = useCallback((checks: readonly Check[]) => {
    setOutcomes((before) => ({ ...before, ...Object.fromEntries(checks.map(({ id }) => [id, undefined])) }));
    for (const check of checks) {
      void runCheck(check, bench.current).then((outcome) => setOutcomes((before) => ({ ...before, [check.id]: outcome })));
    }
  }, []);
  useEffect(() => run(CHECKS), [run]);
  return { outcomes, done: CHECKS.every(({ id }) => outcomes[id] !== undefined), run };
}
