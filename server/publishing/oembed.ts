// oEmbed: describes channels and posts for embedding in other sites, with static markup inside the tag.

import { Type } from 'typebox';
import type { Channel } from '../../contract/channel.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Post } from '../../contract/post.ts';
import type { Config } from '../config.ts';
import { sendPublicDocument } from '../http/caching.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { documentResponses } from '../http/schemas.ts';
import { escapeMarkup, formatAttributes, replaceInvalidXml, sanitizeLine, truncateLine } from '../lib/markup.ts';
import { THUMBNAIL_WIDTHS, thumbnailName } from '../media/files.ts';
import type { Store } from '../storage/ports/store.ts';
import type { BrandStore } from '../web/brand.ts';
import type { WebApp } from '../web/web-app.ts';
import { parsePageAddress } from './page-content.ts';
import { postPicture, postTitle } from './post-summary.ts';
import { channelAddress, originOf, PUBLIC_ACCESS, postAddress } from './site.ts';

/** Services that this module uses. */
export type OembedDeps = {
  readonly store: Pick<Store, 'channel' | 'post' | 'posts'>;
  readonly brands: BrandStore;
  readonly web: () => WebApp;
};

/** Maximum size of an embed in pixels, as its consumer requests. */
export interface MaxEmbedSize {
  readonly maxwidth?: number;
  readonly maxheight?: number;
}

/** The preferred width of an embed, px: the text width of a post. */
const DEFAULT_WIDTH = 600;
/** Seconds for which a consumer may cache a response. */
const CACHE_SECONDS = 3600;

/**
 * Creates the oEmbed response (oembed.com) for the address of a channel or post, with fields in the specified order.
 */
async function createOembed(address: string, maxSize: MaxEmbedSize, origin: string, deps: OembedDeps) {
  const embedded = await findEmbedded(address, origin, deps);
  const { channel } = embedded;
  const width = Math.min(DEFAULT_WIDTH, maxSize.maxwidth ?? DEFAULT_WIDTH);
  const title = embedded.type === 'post' ? postTitle(embedded.post, channel) : sanitizeLine(channel.title);
  const hasScript = deps.web().files.has(`/elements/${EMBED_TAGS[embedded.type]}.js`);
  return {
    ...{ type: 'rich', version: '1.0', title },
    ...{ author_name: sanitizeLine(channel.title), author_url: channelAddress(origin, channel) },
    ...{ provider_name: deps.brands.get().name, provider_url: `${origin}/`, cache_age: CACHE_SECONDS },
    ...thumbnailOf(embedded, maxSize, origin),
    html: embedHtml(embedded, origin, hasScript),
    width,
    height: Math.min(estimateHeight(embedded, width), maxSize.maxheight ?? Number.POSITIVE_INFINITY),
  };
}

/**
 * Returns the public content at an address of this site. Throws a 404 for other addresses and for content that is not
 * public.
 */
async function findEmbedded(address: string, origin: string, { store }: OembedDeps): Promise<Embedded> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isOwnUrl = url !== null && url.host === new URL(origin).host && /^https?:$/.test(url.protocol);
  const page = isOwnUrl ? parsePageAddress(url.pathname + url.search) : null;
  if (page?.type !== 'channel') throw notFound('A channel or post of this address');
  const channel = await store.channel(page.channel, PUBLIC_ACCESS);
  // The site does not republish feeds that readers added.
  if (channel === null || channel.elsewhere === true) throw notFound('A channel or post of this address');
  if (page.post === null) {
    const posts = await store.posts({ channelIds: [channel.id], limit: EMBEDDED_POSTS }, PUBLIC_ACCESS);
    return { type: 'channel', channel, posts: posts.filter(({ service }) => service === undefined) };
  }
  const post = await store.post(channel.id, page.post, PUBLIC_ACCESS);
  if (post === null) throw notFound('A channel or post of this address');
  return { type: 'post', channel, post };
}

/**
 * Returns the picture of the embedded content, in the largest size that fits, or nothing if even the smallest is too
 * large.
 */
function thumbnailOf(
  embedded: Embedded,
  { maxwidth = DEFAULT_WIDTH, maxheight = Number.POSITIVE_INFINITY }: MaxEmbedSize,
  origin: string,
) {
  const picture = (embedded.type === 'post' ? postPicture(embedded.post) : null) ?? embedded.channel.picture;
  if (picture === undefined) return {};
  const { src, width, height } = picture;
  const [, start, key = ''] = /^(\/media\/)([\da-f]{64}\.(?:jpg|png|webp|avif))$/.exec(src) ?? [];
  const smallerWidths = start === undefined ? [] : THUMBNAIL_WIDTHS.filter((thumbnailWidth) => thumbnailWidth < width);
  const sizes = [
    { url: src, width, height },
    ...smallerWidths.map((thumbnailWidth) => ({
      url: start + thumbnailName(key, thumbnailWidth),
      width: thumbnailWidth,
      height: Math.round((height * thumbnailWidth) / width),
    })),
  ];
  const [best] = sizes.filter((size) => size.width <= maxwidth && size.height <= maxheight).sort((a, b) => b.width - a.width);
  if (!best) return {};
  return { thumbnail_url: origin + best.url, thumbnail_width: best.width, thumbnail_height: best.height };
}

/** Sizes for the estimate: a line of text, a character in it, and the frame of a post. */
const LINE_HEIGHT_PX = 24;
const CHARACTER_WIDTH_PX = 8;
const FRAME_HEIGHT_PX = 140;
/**
 * Limits of the estimate: a post shows no more rows and characters, and no picture that is taller in relation to its
 * width.
 */
const MAX_ROWS = 24;
const MAX_CHARACTERS = 5000;
const MAX_PICTURE_RATIO = 1.3;

/** Estimates the height of an embed, px. The format requires it, but a consumer that uses the tag can ignore it. */
function estimateHeight(embedded: Embedded, width: number): number {
  const posts = embedded.type === 'post' ? [embedded.post] : embedded.posts;
  const heights = posts.map((post) => {
    const lines = plainText(post).slice(0, MAX_CHARACTERS).split('\n');
    const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * CHARACTER_WIDTH_PX) / width)), 0);
    const picture = postPicture(post);
    const textHeight = Math.min(rows, MAX_ROWS) * LINE_HEIGHT_PX;
    const pictureHeight = picture ? Math.round(Math.min(MAX_PICTURE_RATIO, picture.height / picture.width) * width) : 0;
    return FRAME_HEIGHT_PX + textHeight + pictureHeight;
  });
  return heights.reduce((sum, height) => sum + height, FRAME_HEIGHT_PX);
}

/** Serializes a response as the XML of oEmbed. */
const oembedXml = (response: Readonly<Record<string, string | number>>): string => {
  const fields = Object.entries(response).map(([name, value]) => `<${name}>${escapeMarkup(String(value))}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${fields.join('')}</oembed>`;
};

/** Maximum characters of a post in the static markup. The tag that replaces it shows the rest. */
const MAX_FALLBACK_CHARACTERS = 600;

/** Embedded content: a post, or a channel with its newest posts. */
export type Embedded =
  | { readonly type: 'post'; readonly channel: Channel; readonly post: Post }
  | { readonly type: 'channel'; readonly channel: Channel; readonly posts: readonly Post[] };

/** Number of posts in an embedded channel. */
const EMBEDDED_POSTS = 5;

/** The tag for each kind of content. */
const EMBED_TAGS = { post: 'changer-post', channel: 'changer-channel' } as const;

/**
 * Renders the markup to insert into another page. It contains the tag, with its content as plain quotes for feed
 * readers, for editors, and for browsers without scripts. The tag's script follows, if the build contains it.
 */
function embedHtml(embedded: Embedded, origin: string, hasScript: boolean): string {
  const { type, channel } = embedded;
  const tag = EMBED_TAGS[type];
  const script = `<script type="module"${formatAttributes({ src: `${origin}/elements/${tag}.js` })}></script>`;
  const attributes = type === 'post' ? { 'post-id': embedded.post.id } : { limit: EMBEDDED_POSTS };
  // Uses the id, which does not change with a rename.
  const startTag = `<${tag}${formatAttributes({ 'channel-id': channel.id, ...attributes })}>`;
  const posts = type === 'post' ? [embedded.post] : embedded.posts;
  const quotes = posts.map((post) => quoteHtml(post, channel, origin)).join('');
  return `${startTag}${quotes || channelLink(channel, origin)}</${tag}>${hasScript ? script : ''}`;
}

function quoteHtml(post: Post, channel: Channel, origin: string): string {
  const href = postAddress(origin, channel, post.id);
  const text = truncateLine(replaceInvalidXml(plainText(post)).trim(), MAX_FALLBACK_CHARACTERS) || postTitle(post, channel);
  const date = new Date(post.date * 1000).toISOString();
  const dateLink = `<a${formatAttributes({ href })}><time${formatAttributes({ datetime: date })}>${date.slice(0, 10)}</time></a>`;
  const lines = text.split('\n').map((line) => escapeMarkup(line.trim()));
  const textHtml = lines.filter((line) => line !== '').join('<br>');
  return `<blockquote${formatAttributes({ cite: href })}><p dir="auto">${textHtml}</p><p>— ${channelLink(channel, origin)}, ${dateLink}</p></blockquote>`;
}

const channelLink = (channel: Channel, origin: string): string =>
  `<a${formatAttributes({ href: channelAddress(origin, channel) })}>${escapeMarkup(sanitizeLine(channel.title))}</a>`;

/** Services that this module uses. */
export type OembedRouteDeps = OembedDeps & {
  readonly config: Config;
  readonly brands: BrandStore;
};

const Pixels = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }));

const OembedQuerystring = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'The URL of a channel or a post of this site' }),
  format: Type.String({ maxLength: 20, default: 'json', description: 'json or xml' }),
  maxwidth: Pixels,
  maxheight: Pixels,
});

/**
 * oEmbed route, which editors and chats call for a pasted address. EMBED_ORIGINS restricts which sites may read the
 * tag's data. It does not restrict requests for the markup.
 */
export function oembedRoutes(app: App, deps: OembedRouteDeps): void {
  app.get(
    '/oembed',
    {
      schema: {
        summary: 'oEmbed data of a channel or a post',
        tags: ['embedding'],
        querystring: OembedQuerystring,
        response: documentResponses('oEmbed 1.0', 'application/json', 'text/xml'),
      },
    },
    async (request, reply) => {
      const { url, format, ...maxSize } = request.query;
      if (format !== 'json' && format !== 'xml')
        throw new HttpError(501, `oEmbed is not available as ${format}: use json or xml.`);
      await deps.brands.refresh();
      const response = await createOembed(url, maxSize, originOf(request, deps.config), deps);
      if (format === 'xml') return sendPublicDocument(request, reply, { body: oembedXml(response), type: 'text/xml' });
      return sendPublicDocument(request, reply, { body: JSON.stringify(response), type: 'application/json' });
    },
  );
}
