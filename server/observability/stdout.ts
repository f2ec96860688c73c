/**
 * Where the log goes: the standard output, which may be a file on a full disk, a pipe that nobody reads, or closed. Nothing of that
 * is to hold up who asks the server: what cannot be written is dropped, and the next line that can be says how many were.
 */
import { writeSync } from 'node:fs';

/** Bytes that wait for the slow reader of a pipe. */
const ROOM = 1024 * 1024;
/** How often a pipe that was full is tried again, ms. */
const AGAIN = 20;
/** How long the end of the process waits for its reader, ms. */
const LAST = 1000;

interface Waiting {
  readonly bytes: Buffer;
  /** Lines that are lost where this one is: itself, or those that it tells of. */
  readonly lines: number;
}

/** Lines out of a process; `flush` says whether all are out or dropped. */
export interface Output {
  write(line: string): void;
  flush(): boolean;
}

/** Writes whole lines to a file descriptor, never waiting and never failing. */
export function openOutput(fd: number): Output {
  const waiting: Waiting[] = [];
  let size = 0;
  let dropped = 0;
  let isTorn = false;
  let timer: NodeJS.Timeout | undefined;

  const add = (line: string, lines: number) => {
    const bytes = Buffer.from(line);
    waiting.push({ bytes, lines });
    size += bytes.length;
  };
  const drop = () => {
    for (const { lines } of waiting.splice(0)) dropped += lines;
    size = 0;
  };
  const gap = () => {
    const told = { level: 40, time: Date.now(), dropped, msg: 'lines could not be written' };
    return `${isTorn && waiting.length === 0 ? '\n' : ''}${JSON.stringify(told)}\n`;
  };
  const writeFirst = ({ bytes, lines }: Waiting) => {
    const written = writeSync(fd, bytes);
    size -= written;
    isTorn = written < bytes.length;
    if (isTorn) waiting[0] = { bytes: bytes.subarray(written), lines };
    else waiting.shift();
  };
  const flush = () => {
    try {
      for (let [first] = waiting; first !== undefined; [first] = waiting) writeFirst(first);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) drop();
    }
    return waiting.length === 0;
  };
  const tryAgain = () => {
    timer = flush() ? undefined : setTimeout(tryAgain, AGAIN).unref();
  };
  return {
    flush,
    write(line) {
      // After a gap it is gone on with when half has been read: else there would be a gap after every line.
      if (size + line.length > (dropped > 0 ? ROOM / 2 : ROOM)) {
        dropped += 1;
        return;
      }
      if (dropped > 0) add(gap(), dropped);
      dropped = 0;
      add(line, 1);
      if (timer === undefined) tryAgain();
    },
  };
}

/** Opens the standard output of this process, whose last lines are written before it ends. */
export function openStandardOutput(): Output {
  // As soon as Node has made its stream, a write to a full pipe is refused and does not wait.
  const { fd } = process.stdout;
  const output = openOutput(fd);
  process.on('exit', () => {
    const end = performance.now() + LAST;
    while (!output.flush() && performance.now() < end) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN);
  });
  return output;
}
