// Fault drill: `npm run drill [-- SECONDS [WORD]]` plays each fault (those whose name contains the word) for this many seconds,
// 10 by default. It runs on real servers with a reader, a writer and an open stream, and prints their results. The exit code is
// 1 if an acknowledged write is lost, if a response was neither a success nor an error with a time to retry, or if the server
// did not recover.
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { type Statuses, type Watch, watch } from './clients.ts';
import { FAULTS, type Fault } from './faults.ts';
import { type Site, startSite } from './site.ts';

/**
 * A success, an unchanged copy, too many requests, temporarily unavailable; and no response, from a process that is not
 * running.
 */
const ACCEPTABLE_STATUS = /^(2\d\d|304|429|503|none)$/;

interface Row {
  readonly fault: string;
  readonly reads: string;
  readonly 'longest silence': string;
  readonly '/healthz': string;
  readonly writes: string;
  readonly 'acknowledged, found': string;
  readonly 'stream told, opened': string;
  readonly 'well again after': string;
  readonly verdict: string;
}

const counts = (statuses: Statuses): string => [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Plays a fault on a watched site. Returns the ms until everything worked again, or the error that prevented it. */
async function playFault(site: Site, watched: Watch, fault: Fault, ms: number): Promise<number | Error> {
  try {
    await fault.play(site, ms);
    const ended = performance.now();
    await watched.well();
    return performance.now() - ended;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function problemsOf(fault: Fault, watched: Watch, recovery: number | Error, lost: readonly string[]): string[] {
  const unacceptable = [
    ...[...watched.reads.keys()].filter((status) => !ACCEPTABLE_STATUS.test(status)),
    ...[...watched.writes.keys()].filter((status) => !ACCEPTABLE_STATUS.test(status) && !fault.extraStatuses?.includes(status)),
  ];
  const [delivered, posted] = watched.told();
  return [
    ...(recovery instanceof Error ? [`not back: ${recovery.message}`] : []),
    ...(lost.length > 0 ? [`lost: ${lost.slice(0, 3).join(', ')}${lost.length > 3 ? ' …' : ''}`] : []),
    ...(unacceptable.length > 0 ? [`answered ${unacceptable.join(', ')}`] : []),
    ...(fault.failsNoRead && [...watched.reads.keys()].some((status) => !/^(200|304)$/.test(status)) ? ['failed reads'] : []),
    ...(delivered < posted ? [`${posted - delivered} posts not told`] : []),
  ];
}

async function drill(fault: Fault, ms: number, postgres: Postgres | undefined): Promise<Row> {
  const { postgres: needsPostgres, ...options } = fault.site ?? {};
  const site = await startSite({ ...options, ...(needsPostgres && postgres && { postgres }) });
  try {
    const watched = await watch(site);
    const recovery = await playFault(site, watched, fault, ms);
    const { acknowledged, lost } = await watched.stop().catch((error: Error) => ({ acknowledged: NaN, lost: [error.message] }));
    const problems = problemsOf(fault, watched, recovery, lost);
    return {
      fault: fault.name,
      reads: counts(watched.reads),
      'longest silence': seconds(watched.silence()),
      '/healthz': [...watched.health].join(' → '),
      writes: counts(watched.writes),
      'acknowledged, found': `${acknowledged}, ${acknowledged - lost.length}`,
      'stream told, opened': `${watched.told().join(' of ')}, ${watched.streams()} ×`,
      'well again after': recovery instanceof Error ? 'never' : seconds(recovery),
      verdict: problems.join('; ') || 'held',
    };
  } finally {
    await site.end();
  }
}

/** Prints a row of a Markdown table as soon as it is known. */
const print = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

const [secondsArg = '10', nameFilter = ''] = process.argv.slice(2);
if (!(Number(secondsArg) > 0)) throw new Error(`"${secondsArg}" is no number of seconds.`);
const chosen = FAULTS.filter(({ name }) => name.includes(nameFilter));
if (chosen.length === 0)
  throw new Error(`There is no fault of "${nameFilter}"; there are ${FAULTS.map(({ name }) => name).join(', ')}.`);
const unavailable = chosen.some(({ site }) => site?.postgres) && noPostgres();
if (unavailable) throw new Error(unavailable);
const postgres = chosen.some(({ site }) => site?.postgres) ? await startPostgres({ durable: true }) : undefined;
const rows: Row[] = [];
try {
  for (const fault of chosen) {
    console.error(`${fault.name} …`);
    const row = await drill(fault, Number(secondsArg) * 1000, postgres);
    if (rows.push(row) === 1) for (const cells of [Object.keys(row), Object.keys(row).map(() => '---')]) print(cells);
    print(Object.values(row));
  }
} finally {
  await postgres?.stop();
}
process.exitCode = rows.length === chosen.length && rows.every(({ verdict }) => verdict === 'held') ? 0 : 1;
