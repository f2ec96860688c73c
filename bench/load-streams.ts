// Event stream clients of the load benchmark: opens event streams and counts the events that they receive, in a
// separate process: `load-streams.ts ORIGIN STREAMS`. It sends a message when all streams are open, and for each
// message that it receives, it sends its counts (`StreamCounts` of `load.ts`).
import { connect } from 'node:net';
import type { StreamCounts } from './load.ts';

const [, , origin = '', count = '0'] = process.argv;
const { hostname, port } = new URL(origin);
const NEW_POST_EVENT = '"type":"new"';
/** Number of streams whose events are parsed for the time at which they were sent. */
const TIMED_STREAMS = 20;
/** Number of streams that are opened in parallel, like arriving readers. */
const MAX_CONCURRENT_OPENS = 100;

const received = new Array<number>(Number(count)).fill(0);
const delaysMs: number[] = [];
let [openStreams, lostStreams] = [0, 0];

/** Opens a stream. Resolves when it has caught up. */
const openStream = (index: number): Promise<void> =>
  new Promise((resolve) => {
    let remainder = '';
    let isOpen = false;
    const socket = connect(Number(port), hostname, () =>
      // HTTP/1.0: a proxy adds no chunk headers, which could divide an event name.
      socket.write(
        `GET /api/events HTTP/1.0\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: 10.9.${index >> 8}.${index & 255}\r\n\r\n`,
      ),
    );
    socket.setEncoding('latin1').on('data', (text: string) => {
      const now = Date.now();
      const buffered = remainder + text;
      if (received[index] === 0 && remainder === '' && buffered.includes(' 200 ')) {
        isOpen = true;
        openStreams += 1;
      }
      if (buffered.includes('\nid: ')) resolve();
      received[index] = (received[index] ?? 0) + buffered.split(NEW_POST_EVENT).length - 1;
      if (index < TIMED_STREAMS)
        for (const [, sentAt] of buffered.matchAll(/Load \d+ sent (\d{13})/g)) delaysMs.push(now - Number(sentAt));
      // An event name may be split between two chunks.
      remainder = buffered.slice(-(NEW_POST_EVENT.length - 1));
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        if (isOpen) openStreams -= 1;
        lostStreams += 1;
        resolve();
      });
  });

for (let first = 0; first < received.length; first += MAX_CONCURRENT_OPENS)
  await Promise.all(
    Array.from({ length: Math.min(MAX_CONCURRENT_OPENS, received.length - first) }, (_, offset) => openStream(first + offset)),
  );
process.send?.('open');
process.on('message', () => {
  const [minEvents, maxEvents] = [Math.min(...received), Math.max(...received)];
  const counts: StreamCounts = { open: openStreams, lost: lostStreams, minEvents, maxEvents, delaysMs };
  process.send?.(counts);
});
