/*
 * Server-rendered custom elements: the first content of a tag on a third-party page. The tag's loader
 * (elements/embed/loader.ts) fetches it in parallel with the tag's code. It contains only public content, and its
 * address is known before any script runs.
 */

import { Type } from 'typebox';
import { PRERENDER_ATTRIBUTES, type PrerenderedTag } from '../../../contract/prerender.ts';
import type { Config } from '../../config.ts';
import { sendWebFile, type WebFile } from '../../http/caching.ts';
import { parseAcceptLanguage } from '../../http/content-negotiation.ts';
import { checkEmbedding } from '../../http/cors.ts';
import { sendProblem } from '../../http/errors.ts';
import type { App } from '../../http/request.ts';
import { mediaOriginOf } from '../../http/security-headers.ts';
import { formatAttributes } from '../../lib/markup.ts';
import type { RetainedFileStore } from '../../storage/ports/retained-files.ts';
import { listRetainedVersions, readRetainedVersionFile } from '../../web/retained-files.ts';
import { createWebFile, type WebApp } from '../../web/web-app.ts';
import { originOf } from '../site.ts';
import { createRenderCache, type PageCacheDeps } from './cache.ts';
import { examplesLocale, examplesPath } from './examples.ts';
import { createFetchApi, serializeForScript } from './page.ts';
import type { RenderedElement, Renderer } from './renderer-api.ts';

/** Services that this module uses. */
export type ElementDeps = PageCacheDeps & {
  readonly renderer: () => Promise<Renderer | null>;
};

/** A tag's attributes, as in markup. */
export interface ElementAttributes {
  readonly 'channel-id'?: string;
  readonly 'post-id'?: string;
  readonly channels?: string;
  readonly q?: string;
  readonly limit?: string;
  readonly lang?: string;
}

export interface ElementRequest {
  readonly tag: PrerenderedTag;
  readonly attributes: ElementAttributes;
  /** The origin under which the site is reached; see `originOf`. */
  readonly origin: string;
  readonly acceptLanguage: string | undefined;
}

/**
 * Renders tags, each again when its content may have changed. Returns null without posts, or if too many renderings
 * run.
 */
export interface ElementRenderer {
  render(request: ElementRequest): Promise<WebFile | null>;
}

/**
 * Headers of a response that a script reads and that is no page. Shared caches treat it like a page (see page.ts). It
 * stays fresh for a minute: otherwise a browser that preloaded it would request it again as soon as a script uses it.
 */
const PRERENDER_HEADERS = {
  'cache-control': 'public, max-age=60, s-maxage=30, stale-while-revalidate=300',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
};

/** Maximum number of renderings that run or wait: a page may have ten tags, and waiting takes less time than their code. */
const MAX_PENDING_RENDERS = 40;

function createElementRenderer(app: App, deps: ElementDeps): ElementRenderer {
  const renderCached = createRenderCache<WebFile>(deps, MAX_PENDING_RENDERS);
  const fetchApi = createFetchApi(app);
  return {
    async render({ tag, attributes, origin, acceptLanguage }) {
      const renderer = await deps.renderer();
      if (renderer === null) return null;
      const languageTag = renderer.languageTagOf(
        parseAcceptLanguage([attributes.lang, acceptLanguage].filter((value) => value !== undefined).join()),
      );
      const props = propsOf(attributes);
      return renderCached(`${tag} ${languageTag} ${origin}?${JSON.stringify(props)}`, async ({ at }) => {
        const rendered = await renderer.renderElement({ tag, props, base: origin, languages: [languageTag], fetchApi });
        return rendered && createElementFile(rendered, at);
      });
    },
  };
}

/** Parses a tag's attributes as the tag itself does; see elements/attributes.ts. */
function propsOf({ 'channel-id': channelId, 'post-id': post = '', channels, q, limit = '' }: ElementAttributes): object {
  return {
    ...(channelId !== undefined && { channelId }),
    ...(channels !== undefined && { channels }),
    ...(q !== undefined && { q }),
    ...(/^[1-9]\d{0,14}$/.test(post.trim()) && { postId: Number(post) }),
    ...(/^([1-9]\d?|100)$/.test(limit.trim()) && { limit: Number(limit) }),
  };
}

/**
 * Creates the document that the tag's loader inserts. The style sheet is in a script element, because the policy of the
 * host page could block a style element.
 */
function createElementFile({ root, locale, dateTimeTemplate, responses }: RenderedElement, at: number): WebFile {
  const attributes = formatAttributes({ 'data-lang': locale, 'data-when': dateTimeTemplate });
  const html = [
    '<!doctype html><meta charset="utf-8">',
    `<script type="text/css">${root.styles}</script>`,
    root.html,
    `<script type="application/json"${attributes}>${serializeForScript({ at, ...responses })}</script>`,
  ].join('');
  return createWebFile('/drawn.html', Buffer.from(html), PRERENDER_HEADERS);
}

/** Services that this module uses. */
export type ElementRouteDeps = ElementDeps & {
  readonly config: Config;
  readonly store: RetainedFileStore;
  readonly web: () => WebApp;
};

const AttributeText = Type.String({ maxLength: 1000 });
const ELEMENT_TAGS = Object.keys(PRERENDER_ATTRIBUTES) as PrerenderedTag[];
const PrerenderParams = Type.Object({ tag: Type.Union(ELEMENT_TAGS.map((tag) => Type.Literal(tag))) });
/** Other attributes on the host page have no effect. */
const PrerenderQuerystring = Type.Partial(
  Type.Object({
    'channel-id': AttributeText,
    'post-id': AttributeText,
    channels: AttributeText,
    q: AttributeText,
    limit: AttributeText,
    lang: AttributeText,
  }),
);
/** Query of the page of examples: the selected language. An unknown one, or several, are ignored. */
const ExamplesQuerystring = Type.Object({ lang: Type.Optional(Type.Unknown()) });
const VersionParams = Type.Object({ version: Type.String(), file: Type.String() });

/** The page of examples is not part of the app, and needs none of the shell's inline scripts. */
const examplesHeaders = (mediaOrigin: string | null) => ({
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...["img-src 'self' blob:", "media-src 'self' blob:", "connect-src 'self'"].map((line) =>
      mediaOrigin === null ? line : `${line} ${mediaOrigin}`,
    ),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'strict-origin-when-cross-origin',
});

/**
 * Routes of the page of examples, of pinned versions of the tags, of the list of versions, and of server-rendered tags.
 * The newest tags are among the built files.
 */
export function elementRoutes(app: App, deps: ElementRouteDeps): void {
  const { config, web } = deps;
  const elementRenderer = createElementRenderer(app, deps);
  const pageHeaders = examplesHeaders(mediaOriginOf(config));
  app.get('/elements', { schema: { hide: true, querystring: ExamplesQuerystring } }, (request, reply) => {
    const { lang } = request.query;
    const locale = examplesLocale(typeof lang === 'string' ? lang : undefined, request.headers['accept-language']);
    const page = web().files.get(examplesPath(locale));
    if (page === undefined) return sendProblem(reply, 404, 'The page of examples has not been built: run npm run build.');
    return sendWebFile({ ...page, headers: { ...pageHeaders, 'content-language': locale } }, 200, request, reply);
  });
  app.get('/elements/versions.json', { schema: { hide: true } }, async (request, reply) => {
    const versions = await listRetainedVersions(deps.store);
    const body = Buffer.from(JSON.stringify({ versions }));
    return sendWebFile(createWebFile('/elements/versions.json', body), 200, request, reply);
  });
  app.get('/elements/v/:version/:file', { schema: { hide: true, params: VersionParams } }, async (request, reply) => {
    const { version, file } = request.params;
    const pinned = await readRetainedVersionFile(version, file, deps.store);
    if (pinned !== null) return sendWebFile(pinned, 200, request, reply);
    return sendProblem(
      reply,
      404,
      `Version ${version} has no file ${file}: /elements/versions.json lists the available versions.`,
    );
  });
  const schema = { hide: true, params: PrerenderParams, querystring: PrerenderQuerystring };
  app.get('/elements/drawn/:tag', { schema }, async (request, reply) => {
    checkEmbedding(request, config);
    const file = await elementRenderer.render({
      tag: request.params.tag,
      attributes: request.query,
      origin: originOf(request, config),
      acceptLanguage: request.headers['accept-language'],
    });
    // The status is not 404: the browser would log it in the console of the host page, and the tag itself shows the
    // error.
    if (file === null) return reply.code(204).header('cache-control', 'no-store').send();
    return sendWebFile(file, 200, request, reply);
  });
}
