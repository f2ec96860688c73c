// Event stream clients of the load benchmark: opens event streams and counts the events that they receive, in a separate process:
// `load-streams.ts ORIGIN STREAMS`. It sends a message when all streams are open, and for each message that it receives, it sends
// its counts (`StreamsTold` of `load.ts`).
import { connect } from 'node:net';
import type { StreamsTold } from './load.ts';

const [, , origin = '', count = '0'] = process.argv;
const { hostname, port } = new URL(origin);
const POST = '"type":"new"';
/** Number of streams whose events are parsed for the time at which they were sent. */
const TIMED = 20;
/** Number of streams that are opened in parallel, like arriving readers. */
const AT_ONCE = 100;

const told = new Array<number>(Number(count)).fill(0);
const delays: number[] = [];
let [open, lost] = [0, 0];

/** Opens a stream. Resolves when it has caught up. */
const listen = (place: number): Promise<void> =>
  new Promise((caughtUp) => {
    let rest = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: 10.9.${place >> 8}.${place & 255}\r\n\r\n`,
      ),
    );
    socket.setEncoding('latin1').on('data', (text: string) => {
      const now = Date.now();
      const all = rest + text;
      if (told[place] === 0 && rest === '' && all.includes(' 200 ')) open += 1;
      if (all.includes('\nid: ')) caughtUp();
      for (let found = all.indexOf(POST); found !== -1; found = all.indexOf(POST, found + POST.length))
        told[place] = (told[place] ?? 0) + 1;
      if (place < TIMED) for (const [, sent] of all.matchAll(/Load \d+ sent (\d{13})/g)) delays.push(now - Number(sent));
      rest = all.slice(-(POST.length - 1));
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        open -= 1;
        lost += 1;
        caughtUp();
      });
  });

for (let from = 0; from < told.length; from += AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, told.length - from) }, (_, at) => listen(from + at)));
process.send?.('open');
process.on('message', () => {
  const answer: StreamsTold = { open, lost, fewest: Math.min(...told), most: Math.max(...told), delays };
  process.send?.(answer);
});
