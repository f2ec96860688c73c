import type { FastifyBaseLogger } from 'fastify';

/** From which weight on a line is written. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Writes down what happened beside the answers to requests. */
export type Say = (line: string, error?: unknown, level?: 'warn' | 'info') => void;

/** Where lines go: held until there is a log, since the store is opened before the log is. */
export function openLog(): { readonly say: Say; startOn(log: FastifyBaseLogger): void } {
  const held: Parameters<Say>[] = [];
  let write: Say = (...line) => void held.push(line);
  return {
    say: (...line) => write(...line),
    startOn(log) {
      write = (line, error, level = 'warn') => log[level](error === undefined ? {} : { err: error }, withoutAddresses(line));
      for (const line of held.splice(0)) write(...line);
    },
  };
}

/** Feeds' addresses, and that of the database, may hold somebody's key. */
const withoutAddresses = (line: string): string => line.replace(/\b[a-z][a-z+.-]*:\/\/[^\s"'<>]+/gi, '…');
