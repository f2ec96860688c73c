import { createBrowserHost } from '../browser.ts';
import type { AppHost } from '../platform.ts';
import { followContainerTheme } from './document-theme.ts';
import { createLaunchInfo, readLaunch, VERSION_PARAM } from './launch.ts';
import { findNativeBridge } from './native-bridge.ts';
import { createTelegramHost } from './telegram.ts';
import { findTransport } from './transport.ts';
import { isEmbeddedByTelegram } from './web-client.ts';

/**
 * Creates the host after a launch: reads the launch parameters and contacts the container. Launch data outside Telegram
 * is ignored, and the host is a browser: anyone could put their own valid launch data into a link and sign other people
 * in as themselves.
 */
export async function createLaunchedHost(): Promise<AppHost> {
  const isInTelegram = findNativeBridge() !== null || (await isEmbeddedByTelegram());
  const launch = readLaunch(isInTelegram);
  const transport = isInTelegram ? findTransport(launch.params.has(VERSION_PARAM)) : null;
  if (transport === null) return { ...createBrowserHost(createLaunchInfo(launch)), applyDocumentTheme() {} };
  const host = createTelegramHost(launch, transport);
  return { ...host, applyDocumentTheme: (chosen) => followContainerTheme(host, chosen) };
}
