// Feed model: a page of posts for RSS, Atom and JSON Feed, with its ids and addresses.

import type { Channel } from '../../../contract/channel.ts';
import type { Entity, Post } from '../../../contract/post.ts';
import { feedName } from '../../../contract/published.ts';
import { replaceInvalidXml, sanitizeLine, truncateLine } from '../../lib/markup.ts';
import { loadPostPage, type PaginationDeps, type PostListQuery } from '../../posts/pagination.ts';
import { postHtml } from '../html/post.ts';
import { channelDescription, type PublishedFile, postPicture, postTitle, publishedFiles } from '../post-summary.ts';
import { channelAddress, PUBLIC_ACCESS, permanentId, postAddress } from '../site.ts';

/** Services that this module uses. */
export type PublishedFeedDeps = PaginationDeps;

/** The formats of a feed, by the extensions of their addresses. */
export const FEED_FORMATS = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** Metadata of a feed. `path` has no extension. `query` has the parameters of the feed, without those of a page. */
export interface FeedMeta {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** The page that shows the same posts to people. */
  readonly home: string;
  readonly picture: string | null;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A page of a feed, newest first. */
export interface PublishedFeedPage extends FeedMeta {
  readonly entries: readonly FeedEntry[];
  /** Time of the last change of its entries; the unix epoch if there are none. */
  readonly updated: Date;
  readonly page: FeedPaging;
  /** The cursor of the next page. */
  readonly next: string | null;
}

/** The requested page of a feed. */
export interface FeedPaging {
  readonly before?: string;
  readonly limit: number;
}

/** Default number of posts on a page of a feed. */
export const DEFAULT_FEED_LIMIT = 30;

export const FEED_MIME_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

/** Returns the address of a feed's page: the first page if there is no cursor. */
export function feedAddress({ path, query }: FeedMeta, format: FeedFormat, { before, limit }: FeedPaging): string {
  const params = new URLSearchParams(query);
  if (limit !== DEFAULT_FEED_LIMIT) params.set('limit', String(limit));
  if (before !== undefined) params.set('before', before);
  return `${path}.${format}${params.size === 0 ? '' : `?${params}`}`;
}

const MAX_TITLE_LENGTH = 100;
const MAX_SEARCH_TITLE_LENGTH = 60;

const feedPath = (origin: string, name: string): string => `${origin}/feeds/${encodeURIComponent(name)}`;

/** Returns the feed of one channel. */
export const channelFeed = (channel: Channel, origin: string): FeedMeta => ({
  id: channelFeedId(channel),
  title: sanitizeLine(channel.title),
  about: channelDescription(channel),
  home: channelAddress(origin, channel),
  picture: channel.picture ? origin + channel.picture.src : null,
  path: feedPath(origin, feedName(channel)),
  query: new URLSearchParams(),
});

/** Returns the feed of several channels, in an order independent of the request, or of all if `requested` is null. */
export function lineupFeed(requested: readonly Channel[] | null, siteName: string, origin: string): FeedMeta {
  const channels = sortByName(requested ?? []);
  const titles = channels.map(({ title }) => sanitizeLine(title)).join(', ');
  return {
    id: permanentId('line-up', origin, ...channels.map(({ id }) => id)),
    title: requested === null ? siteName : `${siteName}: ${truncateLine(titles, MAX_TITLE_LENGTH)}`,
    about: titles,
    home: `${origin}/main`,
    picture: null,
    path: feedPath(origin, 'line-up'),
    query: buildQuery({ channels: joinNames(channels) }),
  };
}

/** Search parameters, without the channels. */
type FeedSearch = Pick<PostListQuery, 'q' | 'media' | 'from' | 'to'>;

/** Returns the feed of a search, in the requested channels or in all. */
export function searchFeed(search: FeedSearch, requested: readonly Channel[] | null, siteName: string, origin: string): FeedMeta {
  const channels = sortByName(requested ?? []);
  const searchText = sanitizeLine(search.q ?? '');
  const { media, from, to } = search;
  return {
    id: permanentId('search', origin, searchText, media ?? '', from ?? '', to ?? '', ...channels.map(({ id }) => id)),
    title: [searchText && `“${truncateLine(searchText, MAX_SEARCH_TITLE_LENGTH)}”`, siteName].filter(Boolean).join(' · '),
    about: channels.map(({ title }) => sanitizeLine(title)).join(', '),
    home: `${origin}/main${searchText === '' ? '' : `?${new URLSearchParams({ search: searchText })}`}`,
    picture: null,
    path: feedPath(origin, 'search'),
    query: buildQuery({ q: searchText || undefined, channels: joinNames(channels), media, from, to }),
  };
}

const sortByName = (channels: readonly Channel[]): Channel[] =>
  [...channels].sort((a, b) => (feedName(a).toLowerCase() < feedName(b).toLowerCase() ? -1 : 1));

const joinNames = (channels: readonly Channel[]): string | undefined => channels.map(feedName).join(',') || undefined;

function buildQuery(params: Readonly<Record<string, string | number | undefined>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return query;
}

/** Reads a page of a feed. Service messages, such as a renamed channel or a pinned post, are left out. */
export async function readFeedPage(
  feed: FeedMeta,
  query: PostListQuery,
  origin: string,
  deps: PublishedFeedDeps,
): Promise<PublishedFeedPage> {
  const { items, next, channels } = await loadPostPage(query, PUBLIC_ACCESS, deps);
  const channelById = new Map(channels.map((channel) => [channel.id, channel]));
  const entries = items.flatMap((post) => {
    const channel = channelById.get(post.channelId);
    return channel === undefined || post.service !== undefined ? [] : [createFeedEntry(post, channel, origin)];
  });
  const updated = new Date(Math.max(0, ...entries.map((entry) => entry.updated.getTime())));
  const page = { limit: query.limit, ...(query.before !== undefined && { before: query.before }) };
  return { ...feed, entries, updated, page, next };
}

/** A post with the fields that every feed format needs. Addresses are absolute. */
export interface FeedEntry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly html: string;
  readonly published: Date;
  readonly updated: Date;
  /** The channel of the post. */
  readonly author: { readonly name: string; readonly url: string };
  /** The signature of the post. */
  readonly signature: string | null;
  /** The address of the original post. */
  readonly origin: string | null;
  readonly tags: readonly string[];
  /** The post's files without spoilers, which feed readers would show openly. */
  readonly files: readonly PublishedFile[];
  /** The picture that represents the post. */
  readonly image: string | null;
  /** The feed of its channel, without an extension. */
  readonly source: { readonly id: string; readonly title: string; readonly feed: string };
}

/** Returns the permanent id of a post in every feed. It does not change when the channel or the site is renamed. */
const entryId = ({ channelId, id }: Pick<Post, 'channelId' | 'id'>): string => permanentId('post', channelId, id);

/** Returns the id of a channel's feed. */
const channelFeedId = ({ id }: Pick<Channel, 'id'>): string => permanentId('channel', id);

/** Converts a post to a feed entry. */
export function createFeedEntry(post: Post, channel: Channel, origin: string): FeedEntry {
  const image = postPicture(post);
  const title = sanitizeLine(channel.title);
  return {
    id: entryId(post),
    url: postAddress(origin, channel, post.id),
    title: postTitle(post, channel),
    html: replaceInvalidXml(postHtml(post, channel, origin)),
    published: new Date(post.date * 1000),
    updated: new Date(Math.max(post.date, post.edited ?? 0) * 1000),
    author: { name: title, url: channelAddress(origin, channel) },
    signature: post.author === undefined ? null : sanitizeLine(post.author) || null,
    origin: post.link ?? null,
    tags: hashtagsOf(post),
    files: publishedFiles(post, origin).filter(({ media }) => media.spoiler !== true),
    image: image && origin + image.src,
    source: { id: channelFeedId(channel), title, feed: `${origin}/feeds/${encodeURIComponent(feedName(channel))}` },
  };
}

/** Returns the hashtags of a post, without those in spoilers. */
const hashtagsOf = ({ text, entities }: Post): string[] => {
  const spoilers = entities.filter(({ type }) => type === 'spoiler');
  const tags = entities
    .filter((entity) => entity.type === 'hashtag' && !spoilers.some((spoiler) => overlap(entity, spoiler)))
    .map(({ offset, length }) =>
      sanitizeLine(
        text
          .slice(offset, offset + length)
          .replace(/^#/, '')
          .split('@', 1)[0] ?? '',
      ),
    );
  return [...new Set(tags.filter(Boolean))];
};

const overlap = (first: Entity, second: Entity): boolean =>
  first.offset < second.offset + second.length && second.offset < first.offset + first.length;
