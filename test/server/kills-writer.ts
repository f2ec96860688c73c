// A process that opens a store and writes of every kind until it is killed: `node writer.js OPTIONS LIFE`, OPTIONS being
// openStore's as JSON. It says a line for each write, `kind number`, only after its promise has resolved; what is written to a
// pipe at once outlives the process.
import { writeSync } from 'node:fs';
import { openStore } from '../../server/storage/open.ts';
import { KINDS, type Kind, makeReady } from './kills-kinds.ts';

const [, , options = '{}', life = '1'] = process.argv;
const opening = JSON.parse(options);
const say = (line: string): void => void writeSync(1, `${line}\n`);

say('opening');
const place = { store: await openStore(opening), dataDir: opening.dataDir };
await makeReady(place);

async function keepWriting(name: string, kind: Kind): Promise<never> {
  for (let n = Number(life) * 1_000_000; ; n += 1) {
    await kind.write(place, n);
    say(`${name} ${n}`);
    // Its turn for every other kind: a write to SQLite is done before its promise is given.
    await new Promise((next) => setImmediate(next));
  }
}
await Promise.all(Object.entries(KINDS).map(([name, kind]) => keepWriting(name, kind)));
