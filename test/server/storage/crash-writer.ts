// Writer process of the crash tests: opens a store and makes writes of every kind until it is killed. Usage: `node writer.js
// OPTIONS LIFE`, where OPTIONS are the options of `openStore` as JSON. It prints a line for each write, `kind number`, but only
// after the promise of the write has resolved. Data that is written to a pipe synchronously survives the process.
import { writeSync } from 'node:fs';
import { openStore } from '../../../server/storage/open.ts';
import { crashTargetOf, createRequiredRows, KINDS, type WriteKind } from './crash-writes.ts';

const [, , options = '{}', life = '1'] = process.argv;
const opening = JSON.parse(options);
const print = (line: string): void => void writeSync(1, `${line}\n`);

print('opening');
const target = crashTargetOf(await openStore(opening), opening.dataDir);
await createRequiredRows(target);

async function keepWriting(name: string, kind: WriteKind): Promise<never> {
  for (let n = Number(life) * 1_000_000; ; n += 1) {
    await kind.write(target, n);
    print(`${name} ${n}`);
    // Lets the other kinds run. A write to SQLite is complete before its promise is returned.
    await new Promise((next) => setImmediate(next));
  }
}
await Promise.all(Object.entries(KINDS).map(([name, kind]) => keepWriting(name, kind)));
