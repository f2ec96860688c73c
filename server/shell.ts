import { type Config, OWN_COLOR } from './config.ts';

/** What the build says about itself (dist/build.json), as far as the server needs it. */
export interface Build {
  readonly version: string;
  /** CSP sources of the inline scripts and styles, as sha256-…. */
  readonly inlineHashes: readonly string[];
  /** The chunks that a page adds to what the shell loads by itself, by the page's tag. */
  readonly chunks: Readonly<Record<string, readonly string[]>>;
  /** Origin of the API where the app was built for another than its own. */
  readonly apiUrl: string | null;
}

/** Puts the brand into the shell's template. */
export function renderShell(template: string, config: Config): string {
  const { name, color } = config.brand;
  const brand = JSON.stringify({ name, color: color === OWN_COLOR ? null : color, botApp: config.botApp });
  const head = [
    `<title>${escapeHtml(name)}</title>`,
    `<meta name="theme-color" content="${escapeHtml(color)}">`,
    `<meta name="changer-brand" content="${escapeHtml(brand)}">`,
  ];
  return template.replace('<!--brand-->', () => head.join(''));
}

/** Puts the brand into the manifest's template. */
export function renderManifest(template: string, config: Config): string {
  const manifest: unknown = JSON.parse(template);
  const { name, color } = config.brand;
  return JSON.stringify({ ...(typeof manifest === 'object' ? manifest : {}), name, short_name: name, theme_color: color });
}

/** The headers of the app's own pages. They also go with the copy of the shell that the service worker keeps. */
export function shellHeaders(build: Build): Record<string, string> {
  const hashes = build.inlineHashes.map((hash) => `'${hash}'`).join(' ');
  const api = build.apiUrl === null ? '' : ` ${build.apiUrl}`;
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${hashes}`,
      `style-src 'self' ${hashes}`,
      `img-src 'self' blob:${api}`,
      `media-src 'self' blob:${api}`,
      `connect-src 'self'${api}`,
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self' https://web.telegram.org",
    ]
      .map((line) => line.trim())
      .join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}

/** The Link header that has a page's own chunks fetched with the shell's, instead of after them. */
export const preloadHeader = (chunks: readonly string[]): string =>
  chunks.map((name) => `</assets/${name}>; rel=modulepreload`).join(', ');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (each) => ESCAPES[each] ?? each);
