/** Development host page: serves a page that frames the app as Telegram's web client does, and signed launch data. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Type } from 'typebox';
import { computeLaunchSignature } from './auth/launch-data.ts';
import type { Config } from './config.ts';
import { notFound } from './http/errors.ts';
import { type App, pathOf } from './http/request.ts';

/** Services that this module uses. */
export type DevHostDeps = {
  readonly config: Config;
  readonly now: () => number;
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Content security policy like that of Telegram's client: the page runs its own script and frames the app. */
const DEV_PAGE_CSP =
  "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const LaunchQuerystring = Type.Object({
  user: Type.Integer({ minimum: 1, default: 1 }),
  name: Type.String({ default: 'Dev' }),
  language: Type.String({ default: 'en' }),
  start: Type.Optional(Type.String()),
});

/**
 * Registers the routes of the host page and of launch data, for development only. The launch data is signed with the
 * server's own token, so that the mini-app can be tried in any browser.
 */
export function devHostRoutes(app: App, deps: DevHostDeps, folder: string): void {
  app.get('/dev/launch-data', { schema: { hide: true, querystring: LaunchQuerystring } }, async (request, reply) => {
    const { user, name, language, start } = request.query;
    // No other site may read data that is signed with the bot's token.
    reply.removeHeader('access-control-allow-origin');
    reply.header('cache-control', 'no-store').type('text/plain');
    const fields = {
      auth_date: String(Math.floor(deps.now() / 1000)),
      query_id: 'dev',
      user: JSON.stringify({ id: user, first_name: name, language_code: language }),
      ...(start && { start_param: start }),
    };
    return signLaunchData(fields, deps.config.botToken ?? '');
  });

  app.get('/dev/*', { schema: { hide: true } }, async (request, reply) => {
    const requestedPath = pathOf(request.url).slice('/dev/'.length);
    const name = path.extname(requestedPath) === '' ? `${requestedPath}.html` : requestedPath;
    const body = await readPage(path.join(folder, path.normalize(`/${name}`)));
    if (body === null) throw notFound(`The page ${requestedPath}`);
    return reply
      .type(CONTENT_TYPES[path.extname(name)] ?? 'text/plain')
      .headers({ 'cache-control': 'no-store', 'content-security-policy': DEV_PAGE_CSP })
      .send(body);
  });
}

/** Reads a file of the folder; null if it is missing. A missing script is bundled from its TypeScript source. */
async function readPage(filePath: string): Promise<Buffer | Uint8Array | null> {
  const body = await readFile(filePath).catch(() => null);
  const source = filePath.replace(/\.js$/, '.ts');
  if (body !== null || !existsSync(source)) return body;
  const { build } = await import('esbuild');
  const result = await build({
    entryPoints: [source],
    bundle: true,
    format: 'esm',
    write: false,
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.contents ?? null;
}

function signLaunchData(fields: Record<string, string>, botToken: string): string {
  const hash = computeLaunchSignature(Object.entries(fields), botToken).toString('hex');
  return new URLSearchParams({ ...fields, hash }).toString();
}
