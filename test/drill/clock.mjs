// Taken into a server's process by `--import`: its clock is ahead by as many ms as CLOCK_FILE says, read anew at SIGUSR2.
import { readFileSync } from 'node:fs';

let ahead = 0;
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + ahead);
    else super(...given);
  }
  static now() {
    return Real.now() + ahead;
  }
};
process.on('SIGUSR2', () => {
  ahead = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
  process.stderr.write(`ahead by ${ahead}\n`);
});
