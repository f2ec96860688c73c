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

/** The addresses of the app's pages, and their tags; every other one answers the same shell as 404, which shows NOT_FOUND. */
const PAGES: readonly (readonly [path: RegExp, tag: string])[] = [
  [/^\/(main\/?)?$/, 'changer-feed'],
  [/^\/channel\/[^/]+\/?$/, 'changer-channel'],
  [/^\/changer\/?$/, 'changer-dial'],
  [/^\/test\/?$/, 'changer-self-test'],
  [/^\/webapp\/close\/?$/, 'changer-close-webapp'],
];
export const NOT_FOUND = 'changer-not-found';

/** Folders of files: an address in them that is not there is no page. */
const FILES = /^\/(assets|elements)\//;

/** The built app: its files, and the shell for every page. */
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

/** Answers the page that was made for a tag, or else the shell: 200 for a page of the app, 404 for what has none. */
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
