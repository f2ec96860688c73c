// Page routes: serves the built app's files, its rendered pages, and the shell.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { sendWebFile } from '../../http/caching.ts';
import { sendProblem } from '../../http/errors.ts';
import { type App, isProgrammaticPath, pathOf } from '../../http/request.ts';
import type { BrandStore } from '../../web/brand.ts';
import { readRetainedAsset } from '../../web/retained-files.ts';
import { preloadHeader } from '../../web/shell.ts';
import type { WebApp } from '../../web/web-app.ts';
import { originOf } from '../site.ts';
import { createPageRenderer, type PageDeps, type PageResponse } from './page.ts';

/** Services that this module uses. */
export type PageRouteDeps = PageDeps & {
  readonly config: Config;
  readonly brands: BrandStore;
  readonly web: () => WebApp;
};

/** Paths of the app's pages, and their tags. Every other path gets the shell as a 404, with NOT_FOUND_TAG. */
const PAGE_TAGS: readonly (readonly [pattern: RegExp, tag: string])[] = [
  [/^\/(main\/?)?$/, 'changer-feed'],
  [/^\/channel\/[^/]+\/?$/, 'changer-channel'],
  [/^\/changer\/?$/, 'changer-dial'],
  [/^\/test\/?$/, 'changer-self-test'],
  [/^\/notifications\/?$/, 'changer-notifications'],
  [/^\/webapp\/close\/?$/, 'changer-close-webapp'],
];
export const NOT_FOUND_TAG = 'changer-not-found';

/** Folders of files: a missing path in them is not a page of the app. */
const FILE_FOLDERS = /^\/(assets|elements)\//;

/** Routes of the built app: its files, and the shell for every page. */
export function webRoutes(app: App, deps: PageRouteDeps): void {
  const pageRenderer = createPageRenderer(app, deps);
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const path = pathOf(request.url);
    await deps.brands.refresh();
    if (isProgrammaticPath(path)) return sendProblem(reply, 404, `There is no ${request.method} ${path}.`);
    const file = deps.web().files.get(path) ?? (await readRetainedAsset(path, deps.store));
    if (file) return sendWebFile(file, 200, request, reply);
    if (FILE_FOLDERS.test(path)) return sendProblem(reply, 404, `There is no file ${path}.`);
    const tag = PAGE_TAGS.find(([pattern]) => pattern.test(path))?.[1] ?? NOT_FOUND_TAG;
    const pageRequest = {
      url: request.url,
      tag,
      origin: originOf(request, deps.config),
      acceptLanguage: request.headers['accept-language'],
    };
    const page = tag === NOT_FOUND_TAG ? null : await pageRenderer.render(pageRequest);
    return sendPage(tag, request, reply, deps, page);
  });
}

/** Sends the rendered page of a tag, or else the shell: 200 for a page of the app, 404 for other addresses. */
export function sendPage(
  tag: string,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PageRouteDeps,
  page: PageResponse | null = null,
) {
  if (page !== null) return sendWebFile(page.file, page.status, request, reply);
  const { shell, build } = deps.web();
  const chunks = build.chunks[tag] ?? [];
  if (chunks.length > 0) reply.header('link', preloadHeader(chunks));
  return sendWebFile(shell, tag === NOT_FOUND_TAG ? 404 : 200, request, reply);
}
