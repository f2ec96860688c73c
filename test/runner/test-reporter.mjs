/** Maximum characters of the output of a process in a report. More would not help. */
const MAX_OUTPUT_LENGTH = 4000;

/** Reporter for node:test: writes one JSON line for each finished test, which test/run.mjs counts. */
export default async function* tally(events) {
  /** By file: the last output of its process on stderr. */
  const written = new Map();
  for await (const { type, data } of events) {
    if (type === 'test:stderr')
      written.set(data.file, `${written.get(data.file) ?? ''}${data.message}`.slice(-MAX_OUTPUT_LENGTH));
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite' && !isOwnFault(data)) continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const state = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const why = typeof data.skip === 'string' ? data.skip : '';
    const milliseconds = data.details?.duration_ms ?? 0;
    const error = state === 'failed' ? describe(data.details?.error, written.get(data.file)) : '';
    const isCancelled = data.details?.error?.failureType === 'cancelledByParent';
    yield `${JSON.stringify({ state, name: data.name, file: data.file, why, milliseconds, error, isCancelled })}\n`;
  }
}

/**
 * A suite fails if one of its tests fails, and the tests are reported themselves. Only a suite whose own hook failed must be
 * reported.
 */
const isOwnFault = ({ details }) => details.error !== undefined && details.error.failureType !== 'subtestsFailed';

/** Describes an error. For a file whose process failed, this includes the exit code and the output. */
function describe(error, written = '') {
  const cause = error?.cause ?? error;
  const text = String(cause?.stack ?? cause?.message ?? cause);
  const { exitCode, signal } = error ?? {};
  return exitCode === undefined ? text : `${text}\nexit code ${exitCode}, signal ${signal}\n${written}`;
}
