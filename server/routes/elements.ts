import { Type } from 'typebox';
import { DRAWN_BY, type DrawnTag } from '../../contract/drawn.ts';
import type { Config } from '../config.ts';
import { sendProblem } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { checkEmbedding } from '../http/security.ts';
import { createTags, type ElementDeps } from '../publishing/pages/elements.ts';
import { examplesLocale, examplesPath } from '../publishing/pages/examples.ts';
import { sendFile } from '../publishing/pages/routes.ts';
import { originOf } from '../publishing/site.ts';
import { listPinned, readPinned } from '../web/retained-files.ts';
import { type Web, webFile } from '../web/web-app.ts';

/** Services that this module uses. */
export type ElementRouteDeps = ElementDeps & {
  readonly config: Config;
  readonly web: () => Web;
};

const Text = Type.String({ maxLength: 1000 });
const TAGS = Object.keys(DRAWN_BY) as DrawnTag[];
const Drawn = Type.Object({ tag: Type.Union(TAGS.map((tag) => Type.Literal(tag))) });
/** Whatever else a site may put there changes nothing. */
const Attributes = Type.Partial(
  Type.Object({ 'channel-id': Text, 'post-id': Text, channels: Text, q: Text, limit: Text, lang: Text }),
);
/** A language that is chosen on the page; an unknown one, or several, count as none. */
const Chosen = Type.Object({ lang: Type.Optional(Type.Unknown()) });
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
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/**
 * The page of examples, the tags as they were at a version, the list of the versions, and what tags show first; the newest tags
 * lie among the built files.
 */
export function elementRoutes(app: App, deps: ElementRouteDeps): void {
  const { config, web } = deps;
  const tags = createTags(app, deps);
  app.get('/elements', { schema: { hide: true, querystring: Chosen } }, (request, reply) => {
    const { lang } = request.query;
    const locale = examplesLocale(typeof lang === 'string' ? lang : undefined, request.headers['accept-language']);
    const page = web().files.get(examplesPath(locale));
    if (page === undefined) return sendProblem(reply, 404, 'The page of examples is not built yet: run npm run build.');
    return sendFile({ ...page, headers: { ...PAGE_HEADERS, 'content-language': locale } }, 200, request, reply);
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
  const schema = { hide: true, params: Drawn, querystring: Attributes };
  app.get('/elements/drawn/:tag', { schema }, async (request, reply) => {
    checkEmbedding(request, config);
    const drawn = await tags.of({
      tag: request.params.tag,
      attributes: request.query,
      origin: originOf(request, config),
      acceptLanguage: request.headers['accept-language'],
    });
    // Not 404, which a browser would write to the site's console: the tag says itself what it lacks.
    if (drawn === null) return reply.code(204).header('cache-control', 'no-store').send();
    return sendFile(drawn, 200, request, reply);
  });
}
