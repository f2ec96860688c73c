import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Third-party site on another origin of this machine: `/changer-feed?limit=5` is a page that contains this tag. */
export interface ForeignSite {
  readonly origin: string;
  stop(): Promise<void>;
}

const TEXTS = {
  en: [
    'The town of Tidewick',
    'Today’s posts from the harbour, on a page of another site:',
    'Text of the other site.',
    'The page continues below.',
  ],
  ar: ['بلدة تايدويك', 'ما يقوله الميناء اليوم، على صفحة لغيرنا:', 'كلمات الموقع نفسه.', 'تستمر الصفحة أدناه.'],
} as const;

/** Starts the site. Its pages load the tags from `app`, an origin. The caller must call `stop()`. */
export async function startForeignSite(app: string): Promise<ForeignSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const locale = request.headers['accept-language']?.startsWith('ar') ? 'ar' : 'en';
    response.setHeader('content-type', 'text/html');
    response.end(page(app, pathname.slice(1), [...searchParams], locale));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function page(app: string, tag: string, attributes: readonly (readonly [string, string])[], locale: keyof typeof TEXTS): string {
  const [title, intro, fallback, outro] = TEXTS[locale];
  const attributeText = attributes.map(([name, value]) => `${name}="${value}"`).join(' ');
  return `<!doctype html><html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>
:root { color-scheme: light dark }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 18px/1.6 Georgia, serif }
</style><h1>${title}</h1><p>${intro}</p>
<script type="module" src="${app}/elements/${tag}.js"></script><${tag} ${attributeText}><p class="own">${fallback}</p></${tag}>
<p>${outro}</p>`;
}
