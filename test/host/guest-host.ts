import { createBrowserHost } from '../../src/host/browser.ts';
import { createHost } from '../../src/host/create.ts';
import type { Host } from '../../src/host/host.ts';

declare global {
  interface Window {
    host: Host;
    createBrowserHost: typeof createBrowserHost;
  }
}

window.createBrowserHost = createBrowserHost;
window.host = await createHost();
