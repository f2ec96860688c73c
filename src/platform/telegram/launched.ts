import { createBrowserHost } from '../browser.ts';
import type { AppHost } from '../platform.ts';
import { followContainer } from './document-theme.ts';
import { launchFacts, readLaunch, VERSION } from './launch.ts';
import { findNative } from './native-bridge.ts';
import { createTelegramHost } from './telegram.ts';
import { findTransport } from './transport.ts';
import { isHeldByTelegram } from './web-client.ts';

/**
 * Creates the host after a launch: reads the launch parameters and contacts the container. Launch data outside Telegram is
 * ignored, and the host is a browser: anyone could put their own valid launch data into a link and sign other people in as
 * themselves.
 */
export async function createLaunchedHost(): Promise<AppHost> {
  const isInTelegram = findNative() !== null || (await isHeldByTelegram());
  const launch = readLaunch(isInTelegram);
  const transport = isInTelegram ? findTransport(launch.params.has(VERSION)) : null;
  if (transport === null) return { ...createBrowserHost(launchFacts(launch)), dressDocument() {} };
  const host = createTelegramHost(launch, transport);
  return { ...host, dressDocument: (chosen) => followContainer(host, chosen) };
}
