/** A reporter for node:test: one JSON line for each finished test, for test/run.mjs to count. */
export default async function* tally(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite' && !isOwnFault(data)) continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const state = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const why = typeof data.skip === 'string' ? data.skip : '';
    yield `${JSON.stringify({ state, name: data.name, file: data.file, why, error: state === 'failed' ? describe(data.details?.error) : '' })}\n`;
  }
}

/** A suite fails with its tests, which are told by themselves; one whose own hook failed has no other voice. */
const isOwnFault = ({ details }) => details.error !== undefined && details.error.failureType !== 'subtestsFailed';

function describe(error) {
  const cause = error?.cause ?? error;
  return String(cause?.stack ?? cause?.message ?? cause);
}
