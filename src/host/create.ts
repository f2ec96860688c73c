import { createBrowserHost } from './browser.ts';
import type { Host } from './host.ts';
import { launchFacts, readLaunch, VERSION } from './launch.ts';
import { createTelegramHost } from './telegram.ts';
import { findTransport } from './transport.ts';

/** Finds out what holds the app. Call once, at start-up: it reads and cleans the address, and greets the container. */
export function createHost(): Host {
  const launch = readLaunch();
  const transport = findTransport(launch.params.has(VERSION));
  return transport === null ? createBrowserHost(launchFacts(launch)) : createTelegramHost(launch, transport);
}
