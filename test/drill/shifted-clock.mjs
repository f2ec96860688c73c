// Shifted clock: loaded into the process of a server by `--import`. Its clock is ahead by the number of ms in CLOCK_FILE, which
// is read again at SIGUSR2.
import { readFileSync } from 'node:fs';

let ahead = 0;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + ahead);
    else super(...args);
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
process.on('SIGUSR2', () => {
  ahead = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
  process.stderr.write(`ahead by ${ahead}\n`);
});
