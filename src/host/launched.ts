import { createBrowserHost } from './browser.ts';
import { followContainer } from './document.ts';
import type { AppHost } from './host.ts';
import { readLaunch, VERSION } from './launch.ts';
import { launchFacts } from './launch-facts.ts';
import { createTelegramHost } from './telegram.ts';
import { findTransport } from './transport.ts';

/** Reads the launch, makes its host, and greets the container; launch data alone, without Telegram around it, leave us in a browser. */
export function createLaunchedHost(): AppHost {
  const launch = readLaunch();
  const transport = findTransport(launch.params.has(VERSION));
  if (transport === null) return { ...createBrowserHost(launchFacts(launch)), dressDocument() {} };
  const host = createTelegramHost(launch, transport);
  return { ...host, dressDocument: () => followContainer(host) };
}
