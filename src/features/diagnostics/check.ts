import type { Services } from '../../context/services.ts';
import type { Messages } from '../../i18n/i18n.ts';

export type Result = 'pass' | 'warn' | 'fail' | 'n/a';

/** What a check found: facts in `detail`, and in `remedy` what to do where it did not pass. Never a secret: see redact.ts. */
export interface Finding {
  readonly result: Result;
  readonly detail: string;
  readonly remedy?: string;
}

export type Outcome = Finding & { readonly ms: number };

/** What a check works with. */
export interface Bench {
  readonly services: Services;
  readonly m: Messages;
}

export interface Check {
  readonly id: string;
  readonly group: 'container' | 'server' | 'device' | 'page';
  title(m: Messages): string;
  run(bench: Bench): Finding | Promise<Finding>;
}

const PATIENCE = 6000;

/** Runs one check; what it throws is its failure, and so is hanging for more than 6 s. */
export async function runCheck(check: Check, bench: Bench): Promise<Outcome> {
  const start = performance.now();
  const finding = await inTime(
    Promise.resolve().then(() => check.run(bench)),
    bench.m,
  ).catch((error: unknown): Finding => ({ result: 'fail', detail: error instanceof Error ? error.message : String(error) }));
  return { ...finding, ms: Math.round(performance.now() - start) };
}

function inTime(finding: Promise<Finding>, { msg }: Messages): Promise<Finding> {
  return new Promise((resolve, reject) => {
    const late = () =>
      resolve({ result: 'fail', detail: msg('No answer within 6 seconds.'), remedy: msg('Run it again; then reload the app.') });
    const timer = setTimeout(late, PATIENCE);
    finding.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A field of an answer, or undefined: the checks trust no server to keep to the contract. */
export const field = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
