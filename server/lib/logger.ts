import type { FastifyBaseLogger } from 'fastify';

/** Minimum level of a log line that is written. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Logs an event outside the handling of requests. */
export type LogFn = (line: string, error?: unknown, level?: 'warn' | 'info') => void;

/** Logger: buffers lines until the log exists, because the store is opened before the log. */
export function createBufferedLogger(): { readonly say: LogFn; startOn(log: FastifyBaseLogger): void } {
  const buffered: Parameters<LogFn>[] = [];
  let write: LogFn = (...line) => void buffered.push(line);
  return {
    say: (...line) => write(...line),
    startOn(log) {
      write = (line, error, level = 'warn') => log[level](error === undefined ? {} : { err: error }, redactUrls(line));
      for (const line of buffered.splice(0)) write(...line);
    },
  };
}

/** Removes URLs: those of feeds and of the database may contain a secret. */
const redactUrls = (line: string): string => line.replace(/\b[a-z][a-z+.-]*:\/\/[^\s"'<>]+/gi, '…');
