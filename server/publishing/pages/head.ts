// Page metadata: the `<head>` of a page, with OpenGraph, Twitter card, JSON-LD, feeds and oEmbed links.

import type { Channel, Picture } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { isPublished } from '../../../contract/published.ts';
import { attributes, cut, escapeMarkup, oneLine } from '../../lib/markup.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { Brand } from '../../web/brand.ts';
import { channelFeed, FEED_LIMIT, type FeedHead, FORMATS, feedAddress, lineupFeed, MIME } from '../feeds/feed.ts';
import { type PageAddress, type PageFacts, readPageAddress, readPageFacts } from '../page-content.ts';
import { aboutOf, descriptionOf, pictureOf, titleOf } from '../post-summary.ts';
import { channelAddress, postAddress } from '../site.ts';
import { channelThing, jsonLd, networkThing, postThing } from './json-ld.ts';

/** Metadata of a page for clients that do not run the app. */
export interface Head {
  /**
   * Markup for `<head>`, all of it escaped: title, description, canonical address, OpenGraph, Twitter card, JSON-LD, feeds and
   * oEmbed. It contains the page's only `<title>`, so the shell's own must be removed. A content security policy does not need to
   * allow its script element, because a data block is not executed.
   */
  readonly elements: string;
  /** The page's title in `elements`, as plain text. */
  readonly title: string;
  /**
   * False if the page has no public content. The response is then a 404 with the shell, because a member of a private channel may
   * still read it there.
   */
  readonly exists: boolean;
  /** True if search engines may index it. `elements` already contains that information. */
  readonly indexable: boolean;
}

/** Values that do not depend on the page. */
interface Site {
  readonly origin: string;
  readonly brand: Brand;
}

/**
 * Returns the content of `<head>` for an address, a path and query as in `request.url`. Returns null for a page without metadata
 * (the dial, the self-test, a missing page).
 *
 * `origin` is the result of `originOf` (site.ts). The result contains only public content, whatever the caller may read, so that
 * the response can be shared. It reads the channels, or the channel and its newest posts, or the post, from the store.
 */
export async function headOf(url: string, origin: string, store: Store, brand: Brand): Promise<Head | null> {
  const address = readPageAddress(url);
  if (address === null) return null;
  return renderHead(address, await readPageFacts(address, store), { origin, brand });
}

/** Renders the head of a page. `facts` is null if there is no public content. */
export function renderHead(address: PageAddress, facts: PageFacts | null, site: Site): Head {
  if (facts === null) return { ...written(site.brand.name, [NO_INDEX]), exists: false, indexable: false };
  const told = toldOf(facts, site);
  const indexable = told.published && !address.narrowed;
  const parts = [
    ...(indexable ? [] : [NO_INDEX]),
    ...meta('name', { description: told.description }),
    link({ rel: 'canonical', href: told.url }),
    ...cardOf(told, site.brand),
    ...(told.published ? [...feedLinks(told.feed), jsonLd(told.thing)] : []),
    ...(told.embeddable ? oembedLinks(told.url, site.origin) : []),
  ];
  return { ...written(told.title, parts), exists: true, indexable };
}

const NO_INDEX = '<meta name="robots" content="noindex">';

const written = (title: string, parts: readonly string[]): Pick<Head, 'elements' | 'title'> => ({
  title,
  elements: [`<title>${escapeMarkup(title)}</title>`, ...parts].join(''),
});

/** Metadata of a page, as cards and search engines need it. */
interface Told {
  readonly url: string;
  /** Title of the browser tab. */
  readonly title: string;
  /** Title on a card, which shows the site's name separately. */
  readonly name: string;
  readonly description: string | null;
  readonly type: 'website' | 'profile' | 'article';
  readonly picture: { readonly url: string; readonly width: number; readonly height: number; readonly large: boolean };
  readonly more: Readonly<Record<string, string | null>>;
  readonly feed: FeedHead;
  readonly thing: Readonly<Record<string, unknown>>;
  readonly published: boolean;
  readonly embeddable: boolean;
}

function toldOf(facts: PageFacts, site: Site): Told {
  switch (facts.type) {
    case 'main':
      return toldOfMain(facts.channels, site);
    case 'channel':
      return toldOfChannel(facts.channel, facts.posts, site);
    case 'post':
      return toldOfPost(facts.post, facts.channel, site);
  }
}

function toldOfMain(channels: readonly Channel[], { origin, brand }: Site): Told {
  const names = channels.map(({ title }) => oneLine(title)).join(' · ');
  return {
    ...{ url: `${origin}/main`, title: brand.name, name: brand.name, type: 'website', more: {} },
    description: cut(names, 200) || null,
    picture: iconOf(origin, brand),
    feed: lineupFeed(null, brand.name, origin),
    thing: networkThing(brand.name, channels, origin),
    published: channels.length > 0,
    embeddable: false,
  };
}

function toldOfChannel(channel: Channel, posts: readonly Post[], { origin, brand }: Site): Told {
  const name = oneLine(channel.title);
  return {
    ...{ url: channelAddress(origin, channel), title: `${name} · ${brand.name}`, name, type: 'profile' },
    description: aboutOf(channel) || null,
    picture: channel.picture ? shown(channel.picture, origin, false) : iconOf(origin, brand),
    more: { 'profile:username': channel.username ?? null },
    feed: channelFeed(channel, origin),
    thing: channelThing(channel, posts, origin),
    published: isPublished(channel),
    embeddable: channel.elsewhere !== true,
  };
}

function toldOfPost(post: Post, channel: Channel, { origin, brand }: Site): Told {
  const name = titleOf(post, channel);
  const own = pictureOf(post);
  const other = channel.picture ? shown(channel.picture, origin, false) : iconOf(origin, brand);
  return {
    ...{ url: postAddress(origin, channel, post.id), title: `${name} · ${oneLine(channel.title)}`, name, type: 'article' },
    description: descriptionOf(post) || aboutOf(channel) || null,
    picture: own ? shown(own, origin, true) : other,
    more: {
      'article:published_time': new Date(post.date * 1000).toISOString(),
      'article:modified_time': post.edited === undefined ? null : new Date(post.edited * 1000).toISOString(),
      'article:author': channelAddress(origin, channel),
    },
    feed: channelFeed(channel, origin),
    thing: postThing(post, channel, origin),
    published: isPublished(channel),
    embeddable: channel.elsewhere !== true,
  };
}

const shown = ({ src, width, height }: Picture, origin: string, large: boolean): Told['picture'] => ({
  ...{ url: origin + src, width, height, large },
});

const iconOf = (origin: string, { logo }: Brand): Told['picture'] => ({
  ...{ url: `${origin}/icon-512.png${logo === null ? '' : `?v=${logo.mark}`}`, width: 512, height: 512, large: false },
});

/** Renders the OpenGraph and Twitter tags, from which chats and other sites render a card. */
function cardOf({ url, name, description, type, picture, more }: Told, brand: Brand): string[] {
  const og = { 'og:type': type, 'og:title': name, 'og:description': description, 'og:url': url, 'og:site_name': brand.name };
  const image = {
    'og:image': picture.url,
    'og:image:width': picture.width,
    'og:image:height': picture.height,
    'og:image:alt': name,
  };
  return [
    ...meta('property', { ...og, ...image, ...more }),
    ...meta('name', { 'twitter:card': picture.large ? 'summary_large_image' : 'summary' }),
  ];
}

const meta = (kind: 'name' | 'property', given: Readonly<Record<string, string | number | null>>): string[] =>
  Object.entries(given).map(([name, content]) => (content === null ? '' : `<meta${attributes({ [kind]: name, content })}>`));

const link = (given: Readonly<Record<string, string>>): string => `<link${attributes(given)}>`;

const feedLinks = (feed: FeedHead): string[] =>
  FORMATS.map((format) =>
    link({ rel: 'alternate', type: MIME[format], title: feed.title, href: feedAddress(feed, format, { limit: FEED_LIMIT }) }),
  );

const oembedLinks = (url: string, origin: string): string[] =>
  (['json', 'xml'] as const).map((format) =>
    link({
      ...{ rel: 'alternate', type: format === 'json' ? 'application/json+oembed' : 'text/xml+oembed' },
      href: `${origin}/oembed?${new URLSearchParams({ url, ...(format === 'xml' && { format }) })}`,
    }),
  );
