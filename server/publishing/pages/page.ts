/*
 * Server-rendered pages: pages with metadata and first posts, for readers at their first visit, for browsers without
 * scripts, and for search engines. They contain only public content, never that of a single reader, so that every cache
 * may share them.
 */
import { createHash } from 'node:crypto';
import { toQueryString } from '../../../src/api/query-string.ts';
import { channelPath, postPath } from '../../../src/lib/links.ts';
import type { Config } from '../../config.ts';
import type { WebFile } from '../../http/caching.ts';
import { parseAcceptLanguage } from '../../http/content-negotiation.ts';
import type { App } from '../../http/request.ts';
import { escapeMarkup } from '../../lib/markup.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { BrandStore } from '../../web/brand.ts';
import { insertPreloads, shellHeaders } from '../../web/shell.ts';
import { createWebFile, type WebApp } from '../../web/web-app.ts';
import { type PageAddress, parsePageAddress } from '../page-content.ts';
import { createRenderCache, type PageCacheDeps } from './cache.ts';
import { type PageHead, readPageHead } from './head.ts';
import type { FetchApi, RenderedPage, RenderedRoot, Renderer } from './renderer-api.ts';

/** Services that this module uses. */
export type PageDeps = PageCacheDeps & {
  readonly config: Config;
  readonly store: Store;
  readonly brands: BrandStore;
  readonly renderer: () => Promise<Renderer | null>;
};

/** A request for a page. */
export interface PageRequest {
  /** Path and query. */
  readonly url: string;
  /** Tag of the page. */
  readonly tag: string;
  /** The origin under which the site is reached; see `originOf`. */
  readonly origin: string;
  readonly acceptLanguage: string | undefined;
}

/** A rendered page. */
export interface PageResponse {
  readonly file: WebFile;
  /**
   * 404 if the page has no public content. The response still contains the shell, in which a member of a private
   * channel may read it.
   */
  readonly status: 200 | 404;
}

/** Renders pages, each again when its content may have changed. */
export interface PageRenderer {
  /** Returns the page at an address, or null if it has neither metadata nor rendered content. */
  render(request: PageRequest): Promise<PageResponse | null>;
}

/** The dial has no metadata. With a query, which names a channel or a shared line-up, it is not rendered. */
const DIAL_PATTERN = /^\/changer\/?$/;
const DIAL_PATH = '/changer';

/** Shared caches use a page for half a minute, and for one more minute while they revalidate it. */
const CACHE_CONTROL = 'public, max-age=0, s-maxage=30, stale-while-revalidate=60';

/** Creates the page renderer of an app. */
export function createPageRenderer(app: App, deps: PageDeps): PageRenderer {
  const renderCached = createRenderCache<PageResponse>(deps);
  const fetchApi = createFetchApi(app);
  return {
    async render({ url, tag, origin, acceptLanguage }) {
      const address = parsePageAddress(url);
      const path = DIAL_PATTERN.test(url) ? DIAL_PATH : address && appPathOf(address);
      const renderer = address === null && path === null ? null : await deps.renderer();
      if (renderer === null) return null;
      const languageTag = renderer.languageTagOf(parseAcceptLanguage(acceptLanguage));
      return renderCached(`${languageTag} ${origin} ${path ?? url}`, async ({ web, at }) => {
        const brand = deps.brands.get();
        const head = await readPageHead(url, origin, deps.store, brand);
        if (head?.exists === false) return { file: createPageFile(web, tag, head, null, at), status: 404 };
        const options = { languages: [languageTag], brandName: brand.name, botApp: deps.config.botApp, fetchApi };
        const rendered = path === null ? null : await renderer.render({ path, ...options });
        return head === null && rendered === null ? null : { file: createPageFile(web, tag, head, rendered, at), status: 200 };
      });
    },
  };
}

/** Returns a function that requests the app's own API anonymously. */
export const createFetchApi =
  (app: App): FetchApi =>
  async (path, params) => {
    const response = await app.inject({ url: `${path}?${toQueryString(params)}` });
    return { status: response.statusCode, body: response.statusCode === 200 ? response.json() : null };
  };

/** Returns the canonical path of a page in the app; null if its query shows only a part of the content. */
function appPathOf(address: PageAddress): string | null {
  if (address.narrowed) return null;
  if (address.type === 'main') return '/main';
  const channel = { id: address.channel };
  return address.post === null ? channelPath(channel) : postPath(channel, address.post);
}

/**
 * Inserts a page's head into the shell, the rendered content before the mount point of the app, and the API responses.
 */
function createPageFile(
  { build, shell }: WebApp,
  tag: string,
  head: PageHead | null,
  rendered: RenderedPage | null,
  at: number,
): WebFile {
  const shellWithHead = insertHead(insertPreloads(shell.body.toString(), build.chunks[tag] ?? []), head);
  if (rendered === null)
    return createWebFile('/index.html', Buffer.from(shellWithHead), { 'cache-control': CACHE_CONTROL, ...shellHeaders(build) });
  const { locale, dir, dateTimeTemplate, layout, page, needsScripts, responses } = rendered;
  const rootHtml = ({ styles, html }: RenderedRoot, children: string) =>
    `<div><template shadowrootmode="open"><style>${styles}</style>${html}</template>${children}</div>`;
  const content = rootHtml(layout, rootHtml(page, '')).replace(
    '<div>',
    `<div id="drawn" data-when="${escapeMarkup(dateTimeTemplate)}">`,
  );
  const serializedResponses = serializeForScript({ at, ...responses });
  const html = shellWithHead
    .replace('<html lang="en">', `<html lang="${locale}" dir="${dir}">`)
    .replace('<div id="q-app">', () => `${content}\n    <div id="q-app">`)
    .replace(/<noscript>.*<\/noscript>/, (notice) => (needsScripts ? notice : ''))
    // The API responses come before the handover script, which removes them for a reader whose own responses may differ.
    .replace('<!--data-->', () => `<script type="application/json" id="answers">${serializedResponses}</script>`);
  const hashes = [layout, page].map(({ styles }) => `sha256-${createHash('sha256').update(styles).digest('base64')}`);
  return createWebFile('/index.html', Buffer.from(html), { 'cache-control': CACHE_CONTROL, ...shellHeaders(build, hashes) });
}

/** Inserts the metadata of a page. What no reader sees comes after the content. */
const insertHead = (shell: string, head: PageHead | null): string =>
  head === null
    ? shell
    : shell.replace(/<title>.*?<\/title>/, () => head.elements).replace('</body>', () => `${head.dataBlock}</body>`);

/** Serializes JSON for use in a script element, which the text `</script` would end. */
export const serializeForScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
