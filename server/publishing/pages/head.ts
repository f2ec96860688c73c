// Page metadata: the `<head>` of a page, with Open Graph, Twitter card, feeds and oEmbed links, and its JSON-LD.

import type { Channel, StoredPicture } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { isPublished } from '../../../contract/published.ts';
import { escapeMarkup, formatAttributes, sanitizeLine, truncateLine } from '../../lib/markup.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { ActiveBrand } from '../../web/brand.ts';
import {
  channelFeed,
  DEFAULT_FEED_LIMIT,
  FEED_FORMATS,
  FEED_MIME_TYPES,
  type FeedMeta,
  feedAddress,
  lineupFeed,
} from '../feeds/feed.ts';
import { type PageAddress, type PageContent, parsePageAddress, readPageContent } from '../page-content.ts';
import { channelDescription, postDescription, postPicture, postTitle } from '../post-summary.ts';
import { channelAddress, postAddress } from '../site.ts';
import { channelJsonLd, jsonLd, networkJsonLd, postJsonLd } from './json-ld.ts';

/** Metadata of a page for clients that do not run the app. */
export interface PageHead {
  /**
   * Markup for `<head>`, all of it escaped: title, description, canonical address, OpenGraph, Twitter card, feeds and
   * oEmbed. It contains the page's only `<title>`, so the shell's own must be removed.
   */
  readonly elements: string;
  /**
   * Script element with JSON-LD for the end of the page, which may contain it anywhere; '' if nothing is described. A
   * content security policy does not need to allow it, because a data block is not executed.
   */
  readonly dataBlock: string;
  /** The page's title in `elements`, as plain text. */
  readonly title: string;
  /**
   * False if the page has no public content. The response is then a 404 with the shell, in which a member of a private
   * channel may still read it.
   */
  readonly exists: boolean;
  /** True if search engines may index the page. If not, `elements` contains a noindex tag. */
  readonly indexable: boolean;
}

const MAX_DESCRIPTION_LENGTH = 200;
/** Size of the app's icon, px. */
const ICON_SIZE = 512;

/** Values that do not depend on the page. */
interface SiteInfo {
  readonly origin: string;
  readonly brand: ActiveBrand;
}

/**
 * Returns the content of `<head>` for `url`, a path and query as in `request.url`. Returns null for a page without
 * metadata (the dial, the self-test, a missing page).
 *
 * `origin` is the result of `originOf` (site.ts). The result contains only public content, whatever the caller may
 * read, so that the response can be shared. It reads the channels, or the channel and its newest posts, or the post,
 * from the store.
 */
export async function readPageHead(url: string, origin: string, store: Store, brand: ActiveBrand): Promise<PageHead | null> {
  const address = parsePageAddress(url);
  if (address === null) return null;
  return renderHead(address, await readPageContent(address, store), { origin, brand });
}

/** Renders the head of a page. `content` is null if there is no public content. */
function renderHead(address: PageAddress, content: PageContent | null, site: SiteInfo): PageHead {
  if (content === null) return { ...writeElements(site.brand.name, [NO_INDEX]), dataBlock: '', exists: false, indexable: false };
  const page = pageMetaOf(content, site);
  const indexable = page.published && !address.narrowed;
  const parts = [
    ...(indexable ? [] : [NO_INDEX]),
    ...meta('name', { description: page.description }),
    link({ rel: 'canonical', href: page.url }),
    ...cardElements(page, site.brand),
    ...(page.published ? feedLinks(page.feed) : []),
    ...(page.embeddable ? oembedLinks(page.url, site.origin) : []),
  ];
  const dataBlock = page.published ? jsonLd(page.structuredData) : '';
  return { ...writeElements(page.title, parts), dataBlock, exists: true, indexable };
}

const NO_INDEX = '<meta name="robots" content="noindex">';

const writeElements = (title: string, parts: readonly string[]): Pick<PageHead, 'elements' | 'title'> => ({
  title,
  elements: [`<title>${escapeMarkup(title)}</title>`, ...parts].join(''),
});

/** Metadata of a page, as cards and search engines need it. */
interface PageMeta {
  readonly url: string;
  /** Title of the browser tab. */
  readonly title: string;
  /** Title on a card, which shows the site's name separately. */
  readonly name: string;
  readonly description: string | null;
  readonly type: 'website' | 'profile' | 'article';
  readonly picture: { readonly url: string; readonly width: number; readonly height: number; readonly large: boolean };
  /** Further OpenGraph properties. */
  readonly extraProperties: Readonly<Record<string, string | null>>;
  readonly feed: FeedMeta;
  readonly structuredData: Readonly<Record<string, unknown>>;
  readonly published: boolean;
  readonly embeddable: boolean;
}

function pageMetaOf(content: PageContent, site: SiteInfo): PageMeta {
  switch (content.type) {
    case 'main':
      return mainPageMeta(content.channels, site);
    case 'channel':
      return channelPageMeta(content.channel, content.posts, site);
    case 'post':
      return postPageMeta(content.post, content.channel, site);
  }
}

function mainPageMeta(channels: readonly Channel[], { origin, brand }: SiteInfo): PageMeta {
  const names = channels.map(({ title }) => sanitizeLine(title)).join(' · ');
  return {
    ...{ url: `${origin}/main`, title: brand.name, name: brand.name, type: 'website', extraProperties: {} },
    description: truncateLine(names, MAX_DESCRIPTION_LENGTH) || null,
    picture: iconMeta(origin, brand),
    feed: lineupFeed(null, brand.name, origin),
    structuredData: networkJsonLd(brand.name, channels, origin),
    published: channels.length > 0,
    embeddable: false,
  };
}

function channelPageMeta(channel: Channel, posts: readonly Post[], { origin, brand }: SiteInfo): PageMeta {
  const name = sanitizeLine(channel.title);
  return {
    ...{ url: channelAddress(origin, channel), title: `${name} · ${brand.name}`, name, type: 'profile' },
    description: channelDescription(channel) || null,
    picture: channel.picture ? pictureMeta(channel.picture, origin, false) : iconMeta(origin, brand),
    extraProperties: { 'profile:username': channel.username ?? null },
    feed: channelFeed(channel, origin),
    structuredData: channelJsonLd(channel, posts, origin),
    published: isPublished(channel),
    embeddable: channel.elsewhere !== true,
  };
}

function postPageMeta(post: Post, channel: Channel, { origin, brand }: SiteInfo): PageMeta {
  const name = postTitle(post, channel);
  const picture = postPicture(post);
  const fallbackPicture = channel.picture ? pictureMeta(channel.picture, origin, false) : iconMeta(origin, brand);
  return {
    ...{ url: postAddress(origin, channel, post.id), title: `${name} · ${sanitizeLine(channel.title)}`, name, type: 'article' },
    description: postDescription(post) || channelDescription(channel) || null,
    picture: picture ? pictureMeta(picture, origin, true) : fallbackPicture,
    extraProperties: {
      'article:published_time': new Date(post.date * 1000).toISOString(),
      'article:modified_time': post.edited === undefined ? null : new Date(post.edited * 1000).toISOString(),
      'article:author': channelAddress(origin, channel),
    },
    feed: channelFeed(channel, origin),
    structuredData: postJsonLd(post, channel, origin),
    published: isPublished(channel),
    embeddable: channel.elsewhere !== true,
  };
}

const pictureMeta = ({ src, width, height }: StoredPicture, origin: string, large: boolean): PageMeta['picture'] => ({
  ...{ url: origin + src, width, height, large },
});

const iconMeta = (origin: string, { logo }: ActiveBrand): PageMeta['picture'] => ({
  url: `${origin}/icon-512.png${logo === null ? '' : `?v=${logo.mark}`}`,
  ...{ width: ICON_SIZE, height: ICON_SIZE, large: false },
});

/** Renders the OpenGraph and Twitter tags, from which chats and other sites render a card. */
function cardElements({ url, name, description, type, picture, extraProperties }: PageMeta, brand: ActiveBrand): string[] {
  const og = { 'og:type': type, 'og:title': name, 'og:description': description, 'og:url': url, 'og:site_name': brand.name };
  const image = {
    'og:image': picture.url,
    'og:image:width': picture.width,
    'og:image:height': picture.height,
    'og:image:alt': name,
  };
  return [
    ...meta('property', { ...og, ...image, ...extraProperties }),
    ...meta('name', { 'twitter:card': picture.large ? 'summary_large_image' : 'summary' }),
  ];
}

const meta = (kind: 'name' | 'property', properties: Readonly<Record<string, string | number | null>>): string[] =>
  Object.entries(properties).map(([name, content]) =>
    content === null ? '' : `<meta${formatAttributes({ [kind]: name, content })}>`,
  );

const link = (attributes: Readonly<Record<string, string>>): string => `<link${formatAttributes(attributes)}>`;

const feedLinks = (feed: FeedMeta): string[] =>
  FEED_FORMATS.map((format) =>
    link({
      rel: 'alternate',
      type: FEED_MIME_TYPES[format],
      title: feed.title,
      href: feedAddress(feed, format, { limit: DEFAULT_FEED_LIMIT }),
    }),
  );

const oembedLinks = (url: string, origin: string): string[] =>
  (['json', 'xml'] as const).map((format) =>
    link({
      ...{ rel: 'alternate', type: format === 'json' ? 'application/json+oembed' : 'text/xml+oembed' },
      href: `${origin}/oembed?${new URLSearchParams({ url, ...(format === 'xml' && { format }) })}`,
    }),
  );
