import { createBrowserHost } from './browser.ts';
import type { AppHost } from './platform.ts';
import { LAUNCH_DATA_PARAM, LAUNCH_PARAM_PREFIX, readStoredLaunch } from './telegram/launch-storage.ts';
import { findNativeBridge } from './telegram/native-bridge.ts';

/**
 * Platform detection: finds the container of the app and creates its host. Call it once, before anything else: when it
 * resolves, the launch parameters are removed from the URL. Telegram's code and the launch parser load only if Telegram
 * launched the app.
 */
export async function detectHost(): Promise<AppHost> {
  // A launch into an already open document only changes its hash. The reload handles it like any other launch.
  window.addEventListener('hashchange', () => location.hash.includes(LAUNCH_DATA_PARAM) && location.reload());
  if (!location.href.includes(LAUNCH_PARAM_PREFIX) && readStoredLaunch() === '' && findNativeBridge() === null)
    return createInertHost();
  const { createLaunchedHost } = await import('./telegram/launched.ts');
  return await createLaunchedHost();
}

/**
 * Creates the host for a page that Telegram did not launch. Also the fallback if Telegram's code could not be loaded.
 */
export const createInertHost = (): AppHost => ({ ...createBrowserHost(), applyDocumentTheme() {} });
