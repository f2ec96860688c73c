import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { OWN_COLOR } from '../config.ts';
import { escapeMarkup } from '../lib/markup.ts';
import type { Brand } from './brand.ts';

/** What the build says about itself (dist/build.json), as far as the server needs it. */
export interface Build {
  readonly version: string;
  /** CSP sources of the inline scripts and styles, as sha256-…. */
  readonly inlineHashes: readonly string[];
  /** The inline script that goes with what the server draws. */
  readonly takeOver: string;
  /** The chunks that a page adds to what the shell loads by itself, by the page's tag. */
  readonly chunks: Readonly<Record<string, readonly string[]>>;
  /** Origin of the API where the app was built for another than its own. */
  readonly apiUrl: string | null;
}

/** Puts the brand into the shell's template. */
export function renderShell(template: string, brand: Brand, botApp: string | null): string {
  const { name, color } = brand;
  const told = JSON.stringify({ name, color: color === OWN_COLOR ? null : color, botApp });
  const head = [
    `<title>${escapeMarkup(name)}</title>`,
    `<meta name="theme-color" content="${escapeMarkup(color)}">`,
    `<meta name="changer-brand" content="${escapeMarkup(told)}">`,
  ];
  return withIcons(template, brand.logo?.mark).replace('<!--brand-->', () => head.join(''));
}

/** Names the icons anew where they are the logo's: browsers ask for an icon's address once and then hardly ever again. */
const withIcons = (template: string, mark: string | undefined): string =>
  mark === undefined
    ? template
    : template
        .replace('href="/icon.svg" type="image/svg+xml"', `href="/icon-192.png?v=${mark}" type="image/png"`)
        .replace('/apple-touch-icon.png', `/apple-touch-icon.png?v=${mark}`);

const ManifestTemplate = Type.Object({
  name: Type.String(),
  screenshots: Type.Optional(Type.Array(Type.Unknown())),
  icons: Type.Array(Type.Object({ src: Type.String(), type: Type.Optional(Type.String()) })),
});

/**
 * Puts the brand into the manifest's template. The pictures show the demo's channels, so they go with its name. A logo is a picture of pixels, so no icon is
 * left that could be drawn at any size.
 */
export function renderManifest(template: string, { name, color, logo }: Brand): string {
  const manifest = Value.Parse(ManifestTemplate, JSON.parse(template));
  const icons = logo === null ? manifest.icons : manifest.icons.filter(isPng).map((icon) => withMark(icon, logo.mark));
  const { screenshots, ...rest } = manifest;
  const shown = name === manifest.name ? { screenshots } : {};
  return JSON.stringify({ ...rest, ...shown, name, short_name: name, theme_color: color, icons });
}

const isPng = ({ type }: { readonly type?: string }): boolean => type === 'image/png';

const withMark = <Icon extends { src: string }>(icon: Icon, mark: string): Icon => ({ ...icon, src: `${icon.src}?v=${mark}` });

/**
 * The headers of the app's own pages. They also go with the copy of the shell that the service worker keeps. `furtherStyles`:
 * the hashes of style sheets that a page has besides the shell's own.
 */
export function shellHeaders(build: Build, furtherStyles: readonly string[] = []): Record<string, string> {
  const quoted = (hashes: readonly string[]) => hashes.map((hash) => `'${hash}'`).join(' ');
  const hashes = quoted(build.inlineHashes);
  const api = build.apiUrl === null ? '' : ` ${build.apiUrl}`;
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${hashes}`,
      `style-src 'self' ${quoted([...build.inlineHashes, ...furtherStyles])}`,
      `img-src 'self' blob:${api}`,
      `media-src 'self' blob:${api}`,
      `connect-src 'self'${api}`,
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      // The policy's name is src/lib/trusted-types.ts's.
      "require-trusted-types-for 'script'",
      'trusted-types changer',
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
