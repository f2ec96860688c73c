/* Diagnostics report: summary, Markdown and JSON. */
import type { AppServices } from '../../context/services.ts';
import type { Messages } from '../../i18n/i18n.ts';
import type { CheckOutcome } from './check.ts';
import { CHECKS } from './checks/index.ts';
import { redact } from './redact.ts';

export type CheckOutcomes = Readonly<Record<string, CheckOutcome | undefined>>;

/** Returns the number of checks by result; running checks do not count. */
export function countResults(outcomes: CheckOutcomes): Readonly<Record<CheckOutcome['result'], number>> {
  const counts = { pass: 0, warn: 0, fail: 0, 'n/a': 0 };
  for (const outcome of Object.values(outcomes)) if (outcome !== undefined) counts[outcome.result] += 1;
  return counts;
}

/** Number of counts that the summary shows even if they are 0: all except "Not applicable". */
const ALWAYS_SHOWN_COUNTS = 3;

/** Returns the summary at the top: "Passed 11 · Warnings 1 · Failed 0". */
export function summaryText({ msg, number }: Messages, outcomes: CheckOutcomes): string {
  const counts = countResults(outcomes);
  const resultCounts = [
    [msg('Passed'), counts.pass],
    [msg('Warnings'), counts.warn],
    [msg('Failed'), counts.fail],
    [msg('Not applicable'), counts['n/a']],
  ] as const;
  return resultCounts
    .filter(([, count], index) => count > 0 || index < ALWAYS_SHOWN_COUNTS)
    .map(([name, count]) => `${name}\u00a0${number(count)}`)
    .join(' · ');
}

interface ReportLine extends CheckOutcome {
  readonly id: string;
  readonly title: string;
}

const reportLines = (m: Messages, outcomes: CheckOutcomes): ReportLine[] =>
  CHECKS.flatMap((check) => {
    const outcome = outcomes[check.id];
    return outcome === undefined ? [] : [{ id: check.id, title: check.title(m), ...outcome }];
  });

/** Returns the diagnostics report in Markdown, to paste into a message; redacted. */
export function markdownReport(m: Messages, outcomes: CheckOutcomes, { environment, host }: AppServices): string {
  const rows = reportLines(m, outcomes).map(
    ({ title, result, detail, remedy, ms }) =>
      `| ${title} | ${result} | ${escapeCell(detail)}${remedy === undefined ? '' : ` → ${escapeCell(remedy)}`} | ${ms} |`,
  );
  const header = [`# ${environment.brandName}`, new Date().toISOString(), summaryText(m, outcomes)];
  return redact([...header, '', '| Check | Result | Detail | ms |', '|---|---|---|---:|', ...rows, ''].join('\n'), host);
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns the same report as JSON; redacted. */
export function jsonReport(m: Messages, outcomes: CheckOutcomes, { environment, host }: AppServices): string {
  const report = {
    app: environment.brandName,
    at: new Date().toISOString(),
    locale: m.locale,
    ...countResults(outcomes),
    checks: reportLines(m, outcomes),
  };
  return redact(JSON.stringify(report, null, 2), host);
}
