/*
 * What a tag shows first on another site: drawn here, fetched by its loader (elements/loader.ts) beside the tag's code. It is
 * anyone's view, in an address that the site can name before any script runs.
 */
import type { DrawnTag } from '../../../contract/drawn.ts';
import type { App } from '../../http/request.ts';
import { attributes } from '../../lib/markup.ts';
import { type WebFile, webFile } from '../../web/web-app.ts';
import { createMade, type PageCacheDeps } from './cache.ts';
import { askOf, inScript, languagesOf } from './page.ts';
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
