import type { AppServices } from '../../context/services.ts';
import type { Messages } from '../../i18n/i18n.ts';

/** Result of a diagnostic check; `n/a` if it does not apply to this environment. */
export type CheckResult = 'pass' | 'warn' | 'fail' | 'n/a';

/**
 * Finding of a diagnostic check: the facts in `detail`, and in `remedy` the action to take if it did not pass. A report
 * redacts all secrets: see redact.ts.
 */
export interface CheckFinding {
  readonly result: CheckResult;
  readonly detail: string;
  readonly remedy?: string;
}

/** Finding of a check, and its duration. */
export type CheckOutcome = CheckFinding & { readonly ms: number };

/** Context that a check runs in. */
export interface CheckContext {
  readonly services: AppServices;
  readonly m: Messages;
}

/** Diagnostic check. The page shows the checks of a group together, and runs them one after the other. */
export interface Check {
  readonly id: string;
  readonly group: 'container' | 'server' | 'device' | 'page';
  title(m: Messages): string;
  run(context: CheckContext): CheckFinding | Promise<CheckFinding>;
}

const CHECK_TIMEOUT_MS = 6000;

/** Runs one check. A thrown error counts as a failure, and so does a run of more than 6 s. */
export async function runCheck(check: Check, context: CheckContext): Promise<CheckOutcome> {
  const start = performance.now();
  const finding = await withCheckTimeout(
    Promise.resolve().then(() => check.run(context)),
    context.m,
  ).catch((error: unknown): CheckFinding => ({ result: 'fail', detail: error instanceof Error ? error.message : String(error) }));
  return { ...finding, ms: Math.round(performance.now() - start) };
}

function withCheckTimeout(finding: Promise<CheckFinding>, { msg }: Messages): Promise<CheckFinding> {
  return new Promise((resolve, reject) => {
    const onTimeout = () =>
      resolve({ result: 'fail', detail: msg('No answer within 6 seconds.'), remedy: msg('Run it again; then reload the app.') });
    const timer = setTimeout(onTimeout, CHECK_TIMEOUT_MS);
    finding.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Returns a field of a response, or undefined: the checks do not trust a server to follow the contract. */
export const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
