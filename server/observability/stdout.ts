/**
 * Non-blocking log output: the standard output may be a file on a full disk, a pipe without a reader, or closed. None
 * of these may delay responses. Lines that cannot be written are dropped, and the next written line reports how many.
 */
import { writeSync } from 'node:fs';

/** Maximum number of buffered bytes for a slow reader of a pipe. */
const MAX_PENDING_BYTES = 1024 * 1024;
/** Retry interval after a pipe was full, ms. */
const RETRY_INTERVAL_MS = 20;
/** Maximum time that the process waits for the reader when it exits, ms. */
const EXIT_FLUSH_TIMEOUT_MS = 1000;
/** Level of the line that reports a gap. */
const PINO_WARN_LEVEL = 40;

interface PendingLine {
  readonly bytes: Buffer;
  /** Number of lines that are lost with this one: itself, or the dropped lines that it reports. */
  readonly lines: number;
}

/** Line output of a process. `flush` tries to write, and returns whether no line is pending any more. */
export interface LogOutput {
  write(line: string): void;
  flush(): boolean;
}

/** Opens an output that writes complete lines to a file descriptor. It never blocks and never throws. */
export function openLogOutput(fd: number): LogOutput {
  const pending: PendingLine[] = [];
  let pendingBytes = 0;
  let droppedLines = 0;
  /** The end of the last written line is still pending. */
  let isTorn = false;
  let timer: NodeJS.Timeout | undefined;

  const enqueue = (line: string, lines: number) => {
    const bytes = Buffer.from(line);
    pending.push({ bytes, lines });
    pendingBytes += bytes.length;
  };
  const dropPending = () => {
    for (const { lines } of pending.splice(0)) droppedLines += lines;
    pendingBytes = 0;
  };
  const formatGap = () => {
    const report = { level: PINO_WARN_LEVEL, time: Date.now(), dropped: droppedLines, msg: 'lines could not be written' };
    return `${isTorn && pending.length === 0 ? '\n' : ''}${JSON.stringify(report)}\n`;
  };
  const writeFirst = ({ bytes, lines }: PendingLine) => {
    const writtenBytes = writeSync(fd, bytes);
    pendingBytes -= writtenBytes;
    isTorn = writtenBytes < bytes.length;
    if (isTorn) pending[0] = { bytes: bytes.subarray(writtenBytes), lines };
    else pending.shift();
  };
  const flush = () => {
    try {
      for (let [first] = pending; first !== undefined; [first] = pending) writeFirst(first);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) dropPending();
    }
    return pending.length === 0;
  };
  const flushOrRetry = () => {
    timer = flush() ? undefined : setTimeout(flushOrRetry, RETRY_INTERVAL_MS).unref();
  };
  return {
    flush,
    write(line) {
      // After a gap, lines are accepted again when half of the buffer has been read. Otherwise a gap would follow every
      // line.
      const maxBytes = droppedLines > 0 ? MAX_PENDING_BYTES / 2 : MAX_PENDING_BYTES;
      if (pendingBytes + Buffer.byteLength(line) > maxBytes) {
        droppedLines += 1;
        return;
      }
      if (droppedLines > 0) enqueue(formatGap(), droppedLines);
      droppedLines = 0;
      enqueue(line, 1);
      if (timer === undefined) flushOrRetry();
    },
  };
}

/** Opens the standard output of this process. Buffered lines are written before the process exits. */
export function openStandardOutput(): LogOutput {
  // Accessing `process.stdout` makes Node create its stream. From then on, a write to a full pipe fails with EAGAIN
  // instead of blocking.
  const { fd } = process.stdout;
  const output = openLogOutput(fd);
  process.on('exit', () => {
    const deadline = performance.now() + EXIT_FLUSH_TIMEOUT_MS;
    // An exit handler cannot wait for a timer, so the thread sleeps between two attempts.
    while (!output.flush() && performance.now() < deadline)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_INTERVAL_MS);
  });
  return output;
}
