import { Type } from 'typebox';
import type { App } from '../app.ts';
import type { Context } from '../context.ts';
import { listPinned, readPinned } from '../pinned.ts';
import { sendProblem } from '../problems.ts';
import { webFile } from '../web.ts';
import { sendFile } from './web.ts';

const Pinned = Type.Object({ version: Type.String(), file: Type.String() });

/** The page of examples is no part of the app, and needs none of the shell's inline scripts. */
const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/** The page of examples, the tags as they were at a version, and the list of the versions; the newest lie among the built files. */
export function elementRoutes(app: App, { config, web }: Context): void {
  app.get('/elements', { schema: { hide: true } }, (request, reply) => {
    const page = web().files.get('/elements/index.html');
    if (page === undefined) return sendProblem(reply, 404, 'The page of examples is not built yet: run npm run build.');
    return sendFile({ ...page, headers: PAGE_HEADERS }, 200, request, reply);
  });
  // What is kept changes when the server starts, and never while it runs.
  const versions = () =>
    webFile('/elements/versions.json', Buffer.from(JSON.stringify({ versions: listPinned(config.dataDir) })));
  let list: ReturnType<typeof versions> | null = null;
  app.get('/elements/versions.json', { schema: { hide: true } }, (request, reply) => {
    list ??= versions();
    return sendFile(list, 200, request, reply);
  });
  app.get('/elements/v/:version/:file', { schema: { hide: true, params: Pinned } }, async (request, reply) => {
    const { version, file } = request.params;
    const pinned = await readPinned(version, file, config.dataDir);
    if (pinned !== null) return sendFile(pinned, 200, request, reply);
    return sendProblem(reply, 404, `There is no ${file} of version ${version}: /elements/versions.json lists what there is.`);
  });
}
