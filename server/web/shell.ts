/** App shell: renders the HTML shell, the manifest and their security headers with the brand. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { DEFAULT_BRAND_COLOR } from '../config.ts';
import { escapeMarkup } from '../lib/markup.ts';
import type { ActiveBrand } from './brand.ts';

/** Build metadata (`dist/build.json`) that the server needs. */
export interface BuildInfo {
  readonly version: string;
  /** CSP sources of the inline scripts and styles, such as sha256-…. */
  readonly inlineHashes: readonly string[];
  /** Chunks that a page loads in addition to those of the shell, by the page's tag. */
  readonly chunks: Readonly<Record<string, readonly string[]>>;
  /** Origin of the API, if the app was built for one other than its own. */
  readonly apiUrl: string | null;
  /** Origin of published media files (S3_PUBLIC_URL), if it is not this server. */
  readonly mediaOrigin?: string | null;
}

/** Inserts the brand into the shell's template. */
export function renderShell(template: string, brand: ActiveBrand, botApp: string | null): string {
  const { name, color } = brand;
  const settings = JSON.stringify({ name, color: color === DEFAULT_BRAND_COLOR ? null : color, botApp });
  const head = [
    `<title>${escapeMarkup(name)}</title>`,
    `<meta name="theme-color" content="${escapeMarkup(color)}">`,
    `<meta name="changer-brand" content="${escapeMarkup(settings)}">`,
  ];
  return withLogoIcons(template, brand.logo?.mark).replace('<!--brand-->', () => head.join(''));
}

/**
 * Adds the logo's version to the icon URLs, because browsers request the URL of an icon once and then almost never
 * again.
 */
const withLogoIcons = (template: string, logoVersion: string | undefined): string =>
  logoVersion === undefined
    ? template
    : template
        .replace('href="/icon.svg" type="image/svg+xml"', `href="/icon-192.png?v=${logoVersion}" type="image/png"`)
        .replace('/apple-touch-icon.png', `/apple-touch-icon.png?v=${logoVersion}`);

const ManifestTemplate = Type.Object({
  name: Type.String(),
  screenshots: Type.Optional(Type.Array(Type.Unknown())),
  icons: Type.Array(Type.Object({ src: Type.String(), type: Type.Optional(Type.String()) })),
});

/**
 * Inserts the brand into the manifest's template. The screenshots show the demo channels, so they are only included if
 * the brand has the default name. A logo is a bitmap, so scalable (SVG) icons are removed.
 */
export function renderManifest(template: string, { name, color, logo }: ActiveBrand): string {
  const manifest = Value.Parse(ManifestTemplate, JSON.parse(template));
  const icons = logo === null ? manifest.icons : manifest.icons.filter(isPng).map((icon) => withLogoVersion(icon, logo.mark));
  const { screenshots, ...rest } = manifest;
  const screenshotFields = name === manifest.name ? { screenshots } : {};
  return JSON.stringify({ ...rest, ...screenshotFields, name, short_name: name, theme_color: color, icons });
}

const isPng = ({ type }: { readonly type?: string }): boolean => type === 'image/png';

const withLogoVersion = <Icon extends { src: string }>(icon: Icon, logoVersion: string): Icon => ({
  ...icon,
  src: `${icon.src}?v=${logoVersion}`,
});

/**
 * Returns the security headers of the app's pages, and of the copy of the shell that the service worker caches.
 * `extraStyleHashes` are CSP sources of style sheets that a page has in addition to those of the shell.
 */
export function shellHeaders(build: BuildInfo, extraStyleHashes: readonly string[] = []): Record<string, string> {
  const quote = (hashes: readonly string[]) => hashes.map((hash) => `'${hash}'`).join(' ');
  const inlineHashes = quote(build.inlineHashes);
  const otherOrigins = [build.apiUrl, build.mediaOrigin].flatMap((origin) => (origin ? ` ${origin}` : [])).join('');
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${inlineHashes}`,
      `style-src 'self' ${quote([...build.inlineHashes, ...extraStyleHashes])}`,
      `img-src 'self' blob:${otherOrigins}`,
      `media-src 'self' blob:${otherOrigins}`,
      `connect-src 'self'${otherOrigins}`,
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      // The policy's name is defined in `src/lib/trusted-types.ts`.
      "require-trusted-types-for 'script'",
      'trusted-types changer',
      "frame-ancestors 'self' https://web.telegram.org",
    ]
      .map((line) => line.trim())
      .join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}

/** Builds the Link header that preloads a page's own chunks with those of the shell, instead of after them. */
export const preloadHeader = (chunks: readonly string[]): string =>
  chunks.map((name) => `</assets/${name}>; rel=modulepreload`).join(', ');

/**
 * Inserts elements at the end of a page that preload the page's own chunks. In a page with content they replace the Link
 * header, because files that the browser requests before the content share the connection with it and delay it.
 */
export const insertPreloads = (html: string, chunks: readonly string[]): string =>
  html.replace('</body>', () => `${chunks.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join('')}</body>`);
