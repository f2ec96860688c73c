/** Web app: reads the build, applies the brand, and prepares files with caching headers. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { etagOf, type WebFile } from '../http/caching.ts';
import { DENY_ALL_CSP } from '../http/security-headers.ts';
import type { ActiveBrand } from './brand.ts';
import { type BuildInfo, renderManifest, renderShell, shellHeaders } from './shell.ts';

/** Web app: its files by URL path, and the shell that is the response for every page URL. */
export interface WebApp {
  readonly files: ReadonlyMap<string, WebFile>;
  readonly shell: WebFile;
  readonly build: BuildInfo;
}

const BuildJson = Type.Object({
  version: Type.String(),
  scriptHashes: Type.Array(Type.String({ pattern: '^sha(256|384|512)-[A-Za-z0-9+/=]+$' })),
  chunks: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String({ pattern: '^[\\w.-]+$' })))),
  apiUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s/;,]+$' })),
});

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

const NOT_BUILT_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><!--brand--><p>The app is not built yet: run npm run build.</p></html>';

/** Policy of the service worker, which does not inherit that of the page: it may only request this server. */
const WORKER_CSP_HEADER = { 'content-security-policy': `${DENY_ALL_CSP}; connect-src 'self'` };

const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Built app from the disk, before the brand is applied. */
export interface BuiltApp {
  readonly build: BuildInfo;
  readonly template: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Reads the built app under `dist`. Without a build, every page shows a notice, and the API still works. */
export function readBuiltApp(dist: string): BuiltApp {
  if (!existsSync(path.join(dist, 'web/index.html')))
    return {
      build: { version: 'not built', inlineHashes: [], chunks: {}, apiUrl: null },
      template: NOT_BUILT_PAGE,
      files: new Map(),
    };
  const files = new Map(readTree(path.join(dist, 'web')));
  const template = String(files.get('/index.html'));
  files.delete('/index.html');
  return { build: readBuildInfo(path.join(dist, 'build.json')), template, files };
}

/** Applies a brand to the built app: the shell and its service worker, the manifest, and the icons if it has a logo. */
function applyBrandToApp({ build, template, files: built }: BuiltApp, brand: ActiveBrand, botApp: string | null): WebApp {
  const body = Buffer.from(renderShell(template, brand, botApp));
  const shell = createWebFile('/index.html', body, { 'cache-control': 'no-cache', ...shellHeaders(build) });
  const shellPath = `/assets/shell-${createHash('sha256').update(body).digest('hex').slice(0, 16)}.html`;
  const files = new Map([...built].map(([name, bytes]) => [name, applyBrandToFile(name, bytes, shellPath, brand)]));
  files.set(shellPath, { ...shell, headers: { ...shell.headers, 'cache-control': IMMUTABLE_CACHE_CONTROL } });
  return { files, shell, build };
}

/**
 * Returns a function that returns the built app with the current brand. The brand is applied again only after a change.
 */
export function createWebApp(
  built: () => BuiltApp,
  brand: () => ActiveBrand,
  botApp: string | null,
  mediaOrigin: string | null = null,
): () => WebApp {
  let cached: { readonly built: BuiltApp; readonly brand: ActiveBrand; readonly web: WebApp } | null = null;
  return () => {
    const [currentBuild, currentBrand] = [built(), brand()];
    if (cached?.built !== currentBuild || cached.brand !== currentBrand)
      cached = {
        built: currentBuild,
        brand: currentBrand,
        web: applyBrandToApp({ ...currentBuild, build: { ...currentBuild.build, mediaOrigin } }, currentBrand, botApp),
      };
    return cached.web;
  };
}

function readBuildInfo(filePath: string): BuildInfo {
  const raw: unknown = JSON.parse(readFileSync(filePath, 'utf8'));
  if (!Value.Check(BuildJson, raw)) throw new Error(`${filePath} has an unexpected format: run npm run build`);
  return {
    version: raw.version,
    inlineHashes: raw.scriptHashes,
    chunks: raw.chunks ?? {},
    apiUrl: raw.apiUrl ?? null,
  };
}

function* readTree(root: string): Generator<[name: string, body: Buffer]> {
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue;
    const filePath = path.join(entry.parentPath, entry.name);
    yield [`/${path.relative(root, filePath).split(path.sep).join('/')}`, readFileSync(filePath)];
  }
}

function applyBrandToFile(name: string, body: Buffer, shellPath: string, brand: ActiveBrand): WebFile {
  if (name === '/sw.js')
    return createWebFile(name, Buffer.from(body.toString().replaceAll('__SHELL__', shellPath)), {
      ...cacheHeadersOf(name),
      ...WORKER_CSP_HEADER,
    });
  if (name === '/manifest.webmanifest') return createWebFile(name, Buffer.from(renderManifest(body.toString(), brand)));
  return createWebFile(name, brand.logo?.icons.get(name) ?? body);
}

/**
 * Creates a file with the headers for its path. Files with a hash in their name never change; all others are
 * revalidated.
 */
export function createWebFile(name: string, body: Buffer, headers: Record<string, string> = cacheHeadersOf(name)): WebFile {
  return { body, type: CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream', etag: etagOf(body), headers };
}

function cacheHeadersOf(name: string): Record<string, string> {
  const sharedHeaders = { 'cross-origin-resource-policy': 'cross-origin' };
  return { ...sharedHeaders, 'cache-control': name.startsWith('/assets/') ? IMMUTABLE_CACHE_CONTROL : 'no-cache' };
}
