import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { sendFile } from '../../http/caching.ts';
import { sendProblem } from '../../http/errors.ts';
import { type App, isForPrograms, pathOf } from '../../http/request.ts';
import type { Brands } from '../../web/brand.ts';
import { formerAsset } from '../../web/retained-files.ts';
import type { Web } from '../../web/web-app.ts';
import { originOf } from '../site.ts';
import { createPages, type Page, type PageDeps } from './page.ts';

/** Services that this module uses. */
export type PageRouteDeps = PageDeps & {
  readonly config: Config;
  readonly brands: Brands;
  readonly web: () => Web;
};

/** Page routes: the addresses of the app's pages, and their tags. Every other address gets the shell as a 404, with NOT_FOUND. */
const PAGES: readonly (readonly [path: RegExp, tag: string])[] = [
  [/^\/(main\/?)?$/, 'changer-feed'],
  [/^\/channel\/[^/]+\/?$/, 'changer-channel'],
  [/^\/changer\/?$/, 'changer-dial'],
  [/^\/test\/?$/, 'changer-self-test'],
  [/^\/webapp\/close\/?$/, 'changer-close-webapp'],
];
export const NOT_FOUND = 'changer-not-found';

/** Folders of files: a missing address in them is no page. */
const FILES = /^\/(assets|elements)\//;

/** Routes of the built app: its files, and the shell for every page. */
export function webRoutes(app: App, deps: PageRouteDeps): void {
  const pages = createPages(app, deps);
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const path = pathOf(request.url);
    await deps.brands.follow();
    if (isForPrograms(path)) return sendProblem(reply, 404, `There is no ${request.method} ${path}.`);
    const file = deps.web().files.get(path) ?? (await formerAsset(path, deps.config.dataDir));
    if (file) return sendFile(file, 200, request, reply);
    if (FILES.test(path)) return sendProblem(reply, 404, `There is no file ${path}.`);
    const tag = PAGES.find(([page]) => page.test(path))?.[1] ?? NOT_FOUND;
    const visit = {
      url: request.url,
      origin: originOf(request, deps.config),
      acceptLanguage: request.headers['accept-language'],
    };
    const page = tag === NOT_FOUND ? null : await pages.of(visit);
    return sendPage(tag, request, reply, deps, page);
  });
}

/** Sends the rendered page of a tag, or else the shell: 200 for a page of the app, 404 for other addresses. */
export function sendPage(
  tag: string,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PageRouteDeps,
  made: Page | null = null,
) {
  const { shell, preloads } = deps.web();
  const link = preloads.get(tag);
  if (link) reply.header('link', link);
  if (made !== null) return sendFile(made.file, made.status, request, reply);
  return sendFile(shell, tag === NOT_FOUND ? 404 : 200, request, reply);
}
