/** Characters that help, of what a process wrote. */
const MOST = 4000;

/** A reporter for node:test: one JSON line for each finished test, for test/run.mjs to count. */
export default async function* tally(events) {
  /** By file: what its process last wrote of its own. */
  const written = new Map();
  for await (const { type, data } of events) {
    if (type === 'test:stderr') written.set(data.file, `${written.get(data.file) ?? ''}${data.message}`.slice(-MOST));
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite' && !isOwnFault(data)) continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const state = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const why = typeof data.skip === 'string' ? data.skip : '';
    yield `${JSON.stringify({ state, name: data.name, file: data.file, why, error: state === 'failed' ? describe(data.details?.error, written.get(data.file)) : '' })}\n`;
  }
}

/** A suite fails with its tests, which are told by themselves; one whose own hook failed has no other voice. */
const isOwnFault = ({ details }) => details.error !== undefined && details.error.failureType !== 'subtestsFailed';

/** A file whose process ended badly says how, and what it wrote. */
function describe(error, written = '') {
  const cause = error?.cause ?? error;
  const said = String(cause?.stack ?? cause?.message ?? cause);
  const { exitCode, signal } = error ?? {};
  return exitCode === undefined ? said : `${said}\nexit code ${exitCode}, signal ${signal}\n${written}`;
}
