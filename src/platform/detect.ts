import { createBrowserHost } from './browser.ts';
import type { AppHost } from './platform.ts';
import { DATA, PREFIX, readKept } from './telegram/launch-storage.ts';
import { findNative } from './telegram/native-bridge.ts';

/**
 * Finds out what holds the app. Call once, before anything else: by the time it resolves, the launch is out of the address.
 * Telegram's part, and the reading of a launch, load only where there is one.
 */
export async function createHost(): Promise<AppHost> {
  // A launch into the document that is open already changes only its hash; it is a launch like any other.
  window.addEventListener('hashchange', () => location.hash.includes(DATA) && location.reload());
  if (!location.href.includes(PREFIX) && readKept() === '' && findNative() === null) return createInertHost();
  const { createLaunchedHost } = await import('./telegram/launched.ts');
  return await createLaunchedHost();
}

/** The host where nothing launched us; it also stands in where Telegram's part could not be loaded. */
export const createInertHost = (): AppHost => ({ ...createBrowserHost(), dressDocument() {} });
