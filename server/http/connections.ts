import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import { createPlaces } from '../lib/concurrency.ts';
import { isProxy } from './client.ts';

/** Connections at once, event streams among them, of all and of one address: six of a browser's for each stream that it may have. */
const MOST = { all: 12_000, each: 600 };

/**
 * Closes connections beyond what the process answers, so that those that are open are answered, and beyond one address's share, so
 * that no address takes them all. A proxy of ours brings everybody's.
 */
export function boundConnections(server: Server, { trustProxy }: Pick<Config, 'trustProxy'>, most = MOST): void {
  server.maxConnections = most.all;
  const places = createPlaces(most);
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address, trustProxy)) return;
    const leave = places.take(address);
    if (leave === null) socket.destroy();
    else socket.once('close', leave);
  });
}
