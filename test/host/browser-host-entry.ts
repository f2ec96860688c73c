import { createBrowserHost } from '../../src/platform/browser.ts';
import { detectHost } from '../../src/platform/detect.ts';
import type { Host } from '../../src/platform/platform.ts';

declare global {
  interface Window {
    host: Host;
    createBrowserHost: typeof createBrowserHost;
  }
}

window.createBrowserHost = createBrowserHost;
window.host = await detectHost();
