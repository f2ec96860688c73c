// oEmbed: describes channels and posts for embedding in other sites, with static markup inside the tag.

import { Type } from 'typebox';
import type { Channel } from '../../contract/channel.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Post } from '../../contract/post.ts';
import type { Config } from '../config.ts';
import { sendPublished } from '../http/caching.ts';
import { notFound, Refusal } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { documents } from '../http/schemas.ts';
import { attributes, clean, cut, escapeMarkup, oneLine } from '../lib/markup.ts';
import { sizeName, WIDTHS } from '../media/files.ts';
import type { Store } from '../storage/ports/store.ts';
import type { Brands } from '../web/brand.ts';
import type { Web } from '../web/web-app.ts';
import { readPageAddress } from './page-content.ts';
import { pictureOf, titleOf } from './post-summary.ts';
import { channelAddress, EVERYBODY, originOf, postAddress } from './site.ts';

/** Services that this module uses. */
export type OembedDeps = {
  readonly store: Pick<Store, 'channel' | 'post' | 'posts'>;
  readonly brands: Brands;
  readonly web: () => Web;
};

/** Maximum size of an embed in pixels, as its consumer requests. */
export interface Room {
  readonly maxwidth?: number;
  readonly maxheight?: number;
}

/** The preferred width of an embed: the text width of a post. */
const WIDTH = 600;
/** Seconds for which a consumer may cache a response. */
const KEPT = 3600;

/** Returns the oEmbed response (oembed.com) for the address of a channel or post, with fields in the specified order. */
export async function oembedOf(address: string, room: Room, origin: string, deps: OembedDeps) {
  const embedded = await findEmbedded(address, origin, deps);
  const { channel } = embedded;
  const width = Math.min(WIDTH, room.maxwidth ?? WIDTH);
  const title = embedded.type === 'post' ? titleOf(embedded.post, channel) : oneLine(channel.title);
  const hasScript = deps.web().files.has(`/elements/${TAGS[embedded.type]}.js`);
  return {
    ...{ type: 'rich', version: '1.0', title },
    ...{ author_name: oneLine(channel.title), author_url: channelAddress(origin, channel) },
    ...{ provider_name: deps.brands.get().name, provider_url: `${origin}/`, cache_age: KEPT },
    ...thumbnailOf(embedded, room, origin),
    html: snapshotHtml(embedded, origin, hasScript),
    width,
    height: Math.min(heightOf(embedded, width), room.maxheight ?? Number.POSITIVE_INFINITY),
  };
}

/** Returns the public content at an address of this site. Throws a 404 for other addresses and for content that is not public. */
async function findEmbedded(address: string, origin: string, { store }: OembedDeps): Promise<Embedded> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const own = url !== null && url.host === new URL(origin).host && /^https?:$/.test(url.protocol);
  const page = own ? readPageAddress(url.pathname + url.search) : null;
  if (page?.type !== 'channel') throw notFound('A channel or post of this address');
  const channel = await store.channel(page.channel, EVERYBODY);
  // The site does not republish feeds that readers added.
  if (channel === null || channel.elsewhere === true) throw notFound('A channel or post of this address');
  if (page.post === null) {
    const posts = await store.posts({ channelIds: [channel.id], limit: EMBEDDED_POSTS }, EVERYBODY);
    return { type: 'channel', channel, posts: posts.filter(({ service }) => service === undefined) };
  }
  const post = await store.post(channel.id, page.post, EVERYBODY);
  if (post === null) throw notFound('A channel or post of this address');
  return { type: 'post', channel, post };
}

/** Returns the picture of the embedded content, in the largest size that fits, or nothing if even the smallest is too large. */
function thumbnailOf(embedded: Embedded, { maxwidth = WIDTH, maxheight = Number.POSITIVE_INFINITY }: Room, origin: string) {
  const picture = (embedded.type === 'post' ? pictureOf(embedded.post) : null) ?? embedded.channel.picture;
  if (picture === undefined) return {};
  const { src, width, height } = picture;
  const [, start, key = ''] = /^(\/media\/)([\da-f]{64}\.(?:jpg|png|avif))$/.exec(src) ?? [];
  const smaller = start === undefined ? [] : WIDTHS.filter((each) => each < width);
  const sizes = [
    { url: src, width, height },
    ...smaller.map((each) => ({ url: start + sizeName(key, each), width: each, height: Math.round((height * each) / width) })),
  ];
  const [best] = sizes
    .filter((size) => size.width <= maxwidth && size.height <= maxheight)
    .sort((one, other) => other.width - one.width);
  if (!best) return {};
  return { thumbnail_url: origin + best.url, thumbnail_width: best.width, thumbnail_height: best.height };
}

/** Pixels of a line of text, of a character in it, and of the frame of a post. */
const LINE = 24;
const CHARACTER = 8;
const FRAME = 140;

/** Estimates the height of an embed. The format requires it, but a consumer that uses the tag can ignore it. */
function heightOf(embedded: Embedded, width: number): number {
  const posts = embedded.type === 'post' ? [embedded.post] : embedded.posts;
  const heights = posts.map((post) => {
    const lines = plainText(post).slice(0, 5000).split('\n');
    const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * CHARACTER) / width)), 0);
    const picture = pictureOf(post);
    return FRAME + Math.min(rows, 24) * LINE + (picture ? Math.round(Math.min(1.3, picture.height / picture.width) * width) : 0);
  });
  return heights.reduce((sum, height) => sum + height, FRAME);
}

/** Serializes a response as the XML of oEmbed. */
export const oembedXml = (answer: Readonly<Record<string, string | number>>): string => {
  const fields = Object.entries(answer).map(([name, value]) => `<${name}>${escapeMarkup(String(value))}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${fields.join('')}</oembed>`;
};

/** Maximum characters of a post in the static markup. The tag that replaces it shows the rest. */
const MAX_FALLBACK_CHARACTERS = 600;

/** Embedded content: a post, or a channel with its newest posts. */
export type Embedded =
  | { readonly type: 'post'; readonly channel: Channel; readonly post: Post }
  | { readonly type: 'channel'; readonly channel: Channel; readonly posts: readonly Post[] };

/** Number of posts in an embedded channel. */
export const EMBEDDED_POSTS = 5;

/** The tag for each kind of content. */
export const TAGS = { post: 'changer-post', channel: 'changer-channel' } as const;

/**
 * Renders the markup to insert into another page. It contains the tag, with its content as plain quotes for feed readers, for
 * editors, and for browsers without scripts. The tag's script follows, once it is available.
 */
export function snapshotHtml(embedded: Embedded, origin: string, hasScript: boolean): string {
  const { type, channel } = embedded;
  const tag = TAGS[type];
  const script = `<script type="module"${attributes({ src: `${origin}/elements/${tag}.js` })}></script>`;
  const about = type === 'post' ? { 'post-id': embedded.post.id } : { limit: EMBEDDED_POSTS };
  // Uses the id, which does not change with a rename.
  const start = `<${tag}${attributes({ 'channel-id': channel.id, ...about })}>`;
  const posts = type === 'post' ? [embedded.post] : embedded.posts;
  const quotes = posts.map((post) => quoteHtml(post, channel, origin)).join('');
  return `${start}${quotes || channelLink(channel, origin)}</${tag}>${hasScript ? script : ''}`;
}

function quoteHtml(post: Post, channel: Channel, origin: string): string {
  const href = postAddress(origin, channel, post.id);
  const text = cut(clean(plainText(post)).trim(), MAX_FALLBACK_CHARACTERS) || titleOf(post, channel);
  const date = new Date(post.date * 1000).toISOString();
  const when = `<a${attributes({ href })}><time${attributes({ datetime: date })}>${date.slice(0, 10)}</time></a>`;
  const lines = text.split('\n').map((line) => escapeMarkup(line.trim()));
  const said = lines.filter((line) => line !== '').join('<br>');
  return `<blockquote${attributes({ cite: href })}><p dir="auto">${said}</p><p>— ${channelLink(channel, origin)}, ${when}</p></blockquote>`;
}

const channelLink = (channel: Channel, origin: string): string =>
  `<a${attributes({ href: channelAddress(origin, channel) })}>${escapeMarkup(oneLine(channel.title))}</a>`;

/** Services that this module uses. */
export type OembedRouteDeps = OembedDeps & {
  readonly config: Config;
  readonly brands: Brands;
};

const Pixels = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }));

const OembedQuerystring = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'The address of a channel or of a post of this site' }),
  format: Type.String({ maxLength: 20, default: 'json', description: 'json or xml' }),
  maxwidth: Pixels,
  maxheight: Pixels,
});

/**
 * oEmbed route, which editors and chats call for a pasted address. EMBED_ORIGINS restricts which sites may read the tag's data.
 * It does not restrict requests for the markup.
 */
export function oembedRoutes(app: App, deps: OembedRouteDeps): void {
  app.get(
    '/oembed',
    {
      schema: {
        summary: 'A channel or post to be embedded, as oEmbed',
        tags: ['embedding'],
        querystring: OembedQuerystring,
        response: documents('oEmbed 1.0', 'application/json', 'text/xml'),
      },
    },
    async (request, reply) => {
      const { url, format, ...room } = request.query;
      if (format !== 'json' && format !== 'xml') throw new Refusal(501, `There is no oEmbed as ${format}: ask for json or xml.`);
      await deps.brands.follow();
      const answer = await oembedOf(url, room, originOf(request, deps.config), deps);
      if (format === 'xml') return sendPublished(request, reply, { body: oembedXml(answer), type: 'text/xml' });
      return sendPublished(request, reply, { body: JSON.stringify(answer), type: 'application/json' });
    },
  );
}
