// Fuzzing: `npm run fuzz [-- MINUTES]` tries every property for an equal share of the time, ten minutes in total by default. It
// prints the property that it tries, the number of runs, the seed, and the smallest failing value. FUZZ_SEED repeats a run.
import { randomInt } from 'node:crypto';
import { PROPERTIES } from './properties.ts';

const MINUTE = 60_000;
/** More runs than any share of time allows: the time limit ends a property. */
const MAX_RUNS = 1_000_000_000;

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) throw new Error(`"${process.argv[2]}" is no number of minutes.`);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const ms = (minutes * MINUTE) / PROPERTIES.length;
console.log(`${PROPERTIES.length} properties in ${minutes} minutes; FUZZ_SEED=${seed} repeats it.`);

let [all, broken] = [0, 0];
for (const { name, tried } of PROPERTIES) {
  // If a property ends the process, its name was printed before.
  console.log(`tries   ${name}`);
  const { runs, fault } = await tried({ runs: MAX_RUNS, seed, ms });
  all += runs;
  if (fault !== null) broken += 1;
  console.log(
    `${fault === null ? 'holds' : 'BROKEN'}  ${String(runs).padStart(8)} runs  ${name}${fault === null ? '' : `\n${fault}`}`,
  );
}
console.log(`${all} values tried, ${broken} of ${PROPERTIES.length} properties broken, seed ${seed}.`);
process.exitCode = broken === 0 ? 0 : 1;
