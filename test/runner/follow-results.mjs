import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** Interval between two reads of the results file, in milliseconds. */
const READ_INTERVAL_MS = 500;
const BUFFER_BYTES = 1 << 20;

/**
 * Follows a results file while a test runner writes it, and calls `onResult` once for each line. Returns a function that reads
 * the rest, stops, and returns all results.
 */
export function followResults(path, onResult) {
  const results = [];
  const buffer = Buffer.alloc(BUFFER_BYTES);
  let position = 0;
  let incomplete = Buffer.alloc(0);

  function readNew() {
    if (!existsSync(path)) return;
    const file = openSync(path, 'r');
    try {
      for (let read = 1; read > 0; ) {
        read = readSync(file, buffer, 0, buffer.length, position);
        position += read;
        addLines(buffer.subarray(0, read));
      }
    } finally {
      closeSync(file);
    }
  }

  /** Parses the complete lines, and keeps the bytes after the last line break for the next read. */
  function addLines(bytes) {
    const all = Buffer.concat([incomplete, bytes]);
    const end = all.lastIndexOf('\n') + 1;
    incomplete = all.subarray(end);
    for (const line of all.subarray(0, end).toString().split('\n').filter(Boolean)) {
      const result = JSON.parse(line);
      results.push(result);
      onResult(result);
    }
  }

  const timer = setInterval(readNew, READ_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    readNew();
    return results;
  };
}
