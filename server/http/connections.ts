import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import { createSlotLimiter } from '../lib/concurrency.ts';

/**
 * Maximum number of open connections, event streams included: in total, and from one address (a browser's six for each
 * event stream that it may have).
 */
const MAX_CONNECTIONS = { all: 12_000, each: 600 };

/**
 * Connection limits: closes connections beyond what the process can serve, so that the open ones are served. Also
 * limits the connections of one address, so that no address takes them all. Trusted proxies are exempt, because they
 * carry the connections of all clients.
 */
export function limitConnections(server: Server, { trustProxy }: Pick<Config, 'trustProxy'>, limits = MAX_CONNECTIONS): void {
  server.maxConnections = limits.all;
  const slots = createSlotLimiter(limits);
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (trustProxy(address)) return;
    const releaseSlot = slots.acquire(address);
    if (releaseSlot === null) socket.destroy();
    else socket.once('close', releaseSlot);
  });
}
