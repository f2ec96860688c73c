import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from './config.ts';
import { isProxy } from './http/client.ts';

/**
 * Names a request, so that what a reader was told is found in the log: as our proxy did, where its name is safe to write. One that
 * cannot be read has no headers.
 */
export function requestId(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): string {
  const given = headers['x-request-id'];
  const isSafe = typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given);
  return isSafe && isProxy(socket.remoteAddress ?? '', trustProxy) ? given : randomUUID();
}
