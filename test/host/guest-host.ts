import { createHost } from '../../src/host/create.ts';
import { createEmbeddedHost } from '../../src/host/embedded.ts';
import type { Host } from '../../src/host/host.ts';

declare global {
  interface Window {
    host: Host;
    createEmbeddedHost: typeof createEmbeddedHost;
  }
}

window.host = createHost();
window.createEmbeddedHost = createEmbeddedHost;
