import { createBrowserHost } from './browser.ts';
import type { Host } from './host.ts';

/** A host for tags on foreign pages: it reads and posts nothing, whatever holds that page, and costs none of Telegram's code. */
export function createEmbeddedHost(): Host {
  return createBrowserHost({
    launchData: () => null,
    readerId: () => null,
    startParam: () => null,
    language: () => null,
    dropLaunchData() {},
  });
}
