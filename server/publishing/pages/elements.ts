/*
 * What a tag shows first on another site: drawn here, fetched by its loader (elements/embed/loader.ts) beside the tag's code. It is
 * anyone's view, in an address that the site can name before any script runs.
 */

import { Type } from 'typebox';
import { DRAWN_BY, type DrawnTag } from '../../../contract/drawn.ts';
import type { Config } from '../../config.ts';
import { sendFile, type WebFile } from '../../http/caching.ts';
import { languagesOf } from '../../http/content-negotiation.ts';
import { sendProblem } from '../../http/errors.ts';
import type { App } from '../../http/request.ts';
import { checkEmbedding } from '../../http/security.ts';
import { attributes } from '../../lib/markup.ts';
import { listPinned, readPinned } from '../../web/retained-files.ts';
import { type Web, webFile } from '../../web/web-app.ts';
import { originOf } from '../site.ts';
import { createMade, type PageCacheDeps } from './cache.ts';
import { examplesLocale, examplesPath } from './examples.ts';
import { askOf, inScript } from './page.ts';
import type { RenderedTag, Renderer } from './renderer-api.ts';

/** Services that this module uses. */
export type ElementDeps = PageCacheDeps & {
  readonly renderer: () => Promise<Renderer | null>;
};

/** A tag's attributes, as in markup. */
export interface TagAttributes {
  readonly 'channel-id'?: string;
  readonly 'post-id'?: string;
  readonly channels?: string;
  readonly q?: string;
  readonly limit?: string;
  readonly lang?: string;
}

export interface TagVisit {
  readonly tag: DrawnTag;
  readonly attributes: TagAttributes;
  /** The origin that the site is reached under; see originOf. */
  readonly origin: string;
  readonly acceptLanguage: string | undefined;
}

/** Draws tags, each as often as what it shows may have changed; null where there are no posts, or no time. */
export interface Tags {
  of(visit: TagVisit): Promise<WebFile | null>;
}

/**
 * It is read by a script, and is no page to open. Shared caches do with it as with a page (page.ts); a browser that had it
 * by a preload would ask for it again as soon as a script takes it, were it stale at once.
 */
const HEADERS = {
  'cache-control': 'public, max-age=60, s-maxage=60, stale-while-revalidate=300',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
};

export function createTags(app: App, deps: ElementDeps): Tags {
  const made = createMade<WebFile>(deps);
  const ask = askOf(app);
  return {
    async of({ tag, attributes, origin, acceptLanguage }) {
      const renderer = await deps.renderer();
      if (renderer === null) return null;
      const language = renderer.tagOf(languagesOf([attributes.lang, acceptLanguage].filter((each) => each !== undefined).join()));
      const props = propsOf(attributes);
      return made(`${tag} ${language} ${origin}?${JSON.stringify(props)}`, async ({ at }) => {
        const drawn = await renderer.renderTag({ tag, props, base: origin, languages: [language], ask });
        return drawn && fileOf(drawn, at);
      });
    },
  };
}

/** What the tag itself would make of its attributes; see elements/attributes.ts. */
function propsOf({ 'channel-id': channelId, 'post-id': post = '', channels, q, limit = '' }: TagAttributes): object {
  return {
    ...(channelId !== undefined && { channelId }),
    ...(channels !== undefined && { channels }),
    ...(q !== undefined && { q }),
    ...(/^[1-9]\d{0,14}$/.test(post.trim()) && { postId: Number(post) }),
    ...(/^([1-9]\d?|100)$/.test(limit.trim()) && { limit: Number(limit) }),
  };
}

/** The style sheet stands in a script element: a style element would ask the site's policy for leave. */
function fileOf({ root, locale, when, answers }: RenderedTag, at: number): WebFile {
  const about = attributes({ 'data-lang': locale, 'data-when': when });
  const html = [
    '<!doctype html><meta charset="utf-8">',
    `<script type="text/css">${root.styles}</script>`,
    // A form that nothing answers yet would be sent to the site.
    root.html.replace('<div class="root', '<div class="drawn root').replaceAll('<form', '<form inert'),
    `<script type="application/json"${about}>${inScript({ at, ...answers })}</script>`,
  ].join('');
  return webFile('/drawn.html', Buffer.from(html), HEADERS);
}

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
