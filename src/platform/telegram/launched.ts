import { createBrowserHost } from '../browser.ts';
import type { AppHost } from '../platform.ts';
import { followContainer } from './document-theme.ts';
import { launchFacts, readLaunch, VERSION } from './launch.ts';
import { findNative } from './native-bridge.ts';
import { createTelegramHost } from './telegram.ts';
import { findTransport } from './transport.ts';
import { isHeldByTelegram } from './web-client.ts';

/**
 * Reads the launch, makes its host, and greets the container. Launch data without Telegram around them leave us in a browser, and
 * are not used: anybody can put their own valid launch data into a link and sign others in as themselves.
 */
export async function createLaunchedHost(): Promise<AppHost> {
  const isInTelegram = findNative() !== null || (await isHeldByTelegram());
  const launch = readLaunch(isInTelegram);
  const transport = isInTelegram ? findTransport(launch.params.has(VERSION)) : null;
  if (transport === null) return { ...createBrowserHost(launchFacts(launch)), dressDocument() {} };
  const host = createTelegramHost(launch, transport);
  return { ...host, dressDocument: (chosen) => followContainer(host, chosen) };
}
