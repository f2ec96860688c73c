/* Diagnostics report: summary, Markdown and JSON. */
import type { Services } from '../../context/services.ts';
import type { Messages } from '../../i18n/i18n.ts';
import type { Outcome } from './check.ts';
import { CHECKS } from './checks/index.ts';
import { redact } from './redact.ts';

export type Outcomes = Readonly<Record<string, Outcome | undefined>>;

/** Returns the number of checks by result. */
export function tally(outcomes: Outcomes): Readonly<Record<Outcome['result'], number>> {
  const counts = { pass: 0, warn: 0, fail: 0, 'n/a': 0 };
  for (const outcome of Object.values(outcomes)) if (outcome !== undefined) counts[outcome.result] += 1;
  return counts;
}

/** Returns the summary at the top: "Passed 11 · Warnings 1 · Failed 0". */
export function summaryText({ msg, number }: Messages, outcomes: Outcomes): string {
  const counts = tally(outcomes);
  const parts = [
    [msg('Passed'), counts.pass],
    [msg('Warnings'), counts.warn],
    [msg('Failed'), counts.fail],
    [msg('Not applicable'), counts['n/a']],
  ] as const;
  return parts
    .filter(([, count], index) => count > 0 || index < 3)
    .map(([name, count]) => `${name}\u00a0${number(count)}`)
    .join(' · ');
}

interface Line extends Outcome {
  readonly id: string;
  readonly title: string;
}

const linesOf = (m: Messages, outcomes: Outcomes): Line[] =>
  CHECKS.flatMap((check) => {
    const outcome = outcomes[check.id];
    return outcome === undefined ? [] : [{ id: check.id, title: check.title(m), ...outcome }];
  });

/** Diagnostics report in Markdown, to paste into a message; redacted. */
export function markdownReport(m: Messages, outcomes: Outcomes, { site, host }: Services): string {
  const rows = linesOf(m, outcomes).map(
    ({ title, result, detail, remedy, ms }) =>
      `| ${title} | ${result} | ${cell(detail)}${remedy === undefined ? '' : ` → ${cell(remedy)}`} | ${ms} |`,
  );
  const head = [`# ${site.brandName}`, new Date().toISOString(), summaryText(m, outcomes)];
  return redact([...head, '', '| Check | Result | Detail | ms |', '|---|---|---|---:|', ...rows, ''].join('\n'), host);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns the same report as JSON; redacted. */
export function jsonReport(m: Messages, outcomes: Outcomes, { site, host }: Services): string {
  const report = {
    app: site.brandName,
    at: new Date().toISOString(),
    locale: m.locale,
    ...tally(outcomes),
    checks: linesOf(m, outcomes),
  };
  return redact(JSON.stringify(report, null, 2), host);
}
