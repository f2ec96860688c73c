/** Shell with fake tags that only report their name. The test decides which chunks load, and when. */
import { createHttpClient } from '../../src/api/client.ts';
import { createTokenStorage } from '../../src/api/token-storage.ts';
import { createAuthGuard } from '../../src/app/session/auth-guard.ts';
import { createShell, type Shell } from '../../src/app/shell/app-shell.ts';
import { english } from '../../src/i18n/i18n.ts';
import { createSignal } from '../../src/lib/signal.ts';
import { detectHost } from '../../src/platform/detect.ts';

declare global {
  interface Window {
    shell: Shell;
    /** Every connected tag with its parameters, in order. */
    shown: string[];
    /** Tags whose chunk fails to load, set by a test. */
    missing: Set<string>;
    /** Tags whose chunk loads only after release(). */
    late: Set<string>;
    release(): void;
    signedIn: number;
    failed: number;
  }
}

class Tag extends HTMLElement {
  params: Readonly<Record<string, string>> = {};

  connectedCallback(): void {
    if (this.localName === 'changer-layout') {
      if (this.shadowRoot === null)
        this.attachShadow({ mode: 'open' }).innerHTML = '<nav><a href="/changer">Dial</a></nav><slot></slot>';
      return;
    }
    window.shown.push(`${this.localName} ${JSON.stringify(this.params)}`);
    this.textContent = this.localName;
    this.style.cssText = 'display:block;height:3000px;width:3000px';
  }
}

const released = new Promise<void>((done) => {
  window.release = done;
});
const load = async (tag: string): Promise<void> => {
  if (window.missing.has(tag)) throw new Error('no chunk');
  if (window.late.has(tag)) await released;
  if (customElements.get(tag) === undefined) customElements.define(tag, class extends Tag {});
};

Object.assign(window, { shown: [], missing: new Set(), late: new Set(), signedIn: 0, failed: 0 });
const root = document.getElementById('q-app') ?? document.body;
const host = await detectHost();
const session = createTokenStorage();
const client = createHttpClient({ baseUrl: '', tokenStorage: session });
const guard = createAuthGuard<object>({
  host,
  tokenStorage: session,
  async signIn(initData) {
    const response = await client.write('post', '/api/telegram/auth/webapp', { initData }, ['/api/']);
    return { token: String(Reflect.get(Object(response), 'Access-Token')) };
  },
  onSignedIn: () => {
    window.signedIn++;
  },
  onFailed: () => {
    window.failed++;
  },
  isKnownReader: () => localStorage.getItem('known') !== null,
});
window.shell = createShell({
  root,
  host,
  brandName: 'Brand',
  load,
  guard,
  outletProps: () => ({ services: {}, locale: 'en', scheme: host.theme.get().scheme }),
  messages: () => english,
});
host.applyDocumentTheme(createSignal<null>(null));
host.theme.subscribe(window.shell.update);
Object.assign(window, { client });
window.shell.mount();
