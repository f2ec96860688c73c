// `npm run fuzz [-- MINUTES]`: tries every property for an equal share of the time, ten minutes in all unless told, and prints
// which it tries, how often each was tried, from which seed, and the smallest value that broke one. FUZZ_SEED repeats a run.
import { randomInt } from 'node:crypto';
import { PROPERTIES } from './properties.ts';

const MINUTE = 60_000;
/** More than any share of time has room for: the clock ends a property. */
const ENDLESS = 1_000_000_000;

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) throw new Error(`"${process.argv[2]}" is no number of minutes.`);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const ms = (minutes * MINUTE) / PROPERTIES.length;
console.log(`${PROPERTIES.length} properties in ${minutes} minutes; FUZZ_SEED=${seed} repeats it.`);

let [all, broken] = [0, 0];
for (const { name, tried } of PROPERTIES) {
  // One that ends the process has said which it was.
  console.log(`tries   ${name}`);
  const { runs, fault } = await tried({ runs: ENDLESS, seed, ms });
  all += runs;
  if (fault !== null) broken += 1;
  console.log(
    `${fault === null ? 'holds' : 'BROKEN'}  ${String(runs).padStart(8)} runs  ${name}${fault === null ? '' : `\n${fault}`}`,
  );
}
console.log(`${all} values tried, ${broken} of ${PROPERTIES.length} properties broken, seed ${seed}.`);
process.exitCode = broken === 0 ? 0 : 1;
