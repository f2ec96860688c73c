/** Post routes: the feed, single posts, search, and the posts of a channel. */
import { type Static, Type } from 'typebox';
import { PagedPosts, PostResponse } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { isMuted } from '../../contract/merge-lineup.ts';
import { accessScopeOf } from '../auth/identity.ts';
import {
  type FindChannelDeps,
  findChannel,
  findChannelAndPost,
  resolveChannels,
  touchExternalChannels,
} from '../channels/find.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import type { AccessScope } from '../domain/model.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { type App, markPrivate } from '../http/request.ts';
import {
  ChannelListParam,
  ChannelParams,
  CursorParam,
  DEFAULT_PAGE_SIZE,
  LimitParam,
  MediaFilterParam,
  MessageId,
  PostParams,
  responses,
} from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { cacheNewestPage, type NewestPageDeps } from './newest-page.ts';
import { loadPostPage, loadPostsAround, loadPostsAt, type PaginationDeps, requireSearch, SearchFields } from './pagination.ts';
import { serializePosts } from './serialize.ts';

/** Services that this module uses. */
export type FeedRouteDeps = PaginationDeps &
  FindChannelDeps &
  NewestPageDeps & {
    readonly store: Pick<Store, 'lineup'>;
    readonly now: () => number;
  };

const FeedQuerystring = Type.Object({
  channels: Type.Optional(ChannelListParam),
  before: Type.Optional(CursorParam),
  after: Type.Optional(CursorParam),
  limit: LimitParam,
  media: Type.Optional(MediaFilterParam),
});

/** Feed over many channels: the requested ones, else the reader's line-up, else all. */
export function feedRoutes(app: App, deps: FeedRouteDeps): void {
  const loadNewestPage = cacheNewestPage(
    (accessScope) => loadPostPage({ channels: 'all', limit: DEFAULT_PAGE_SIZE }, accessScope, deps),
    deps,
  );
  app.get(
    '/api/feed',
    {
      schema: {
        summary: 'Posts of many channels, newest first',
        tags: ['posts'],
        querystring: FeedQuerystring,
        response: responses(PagedPosts),
      },
    },
    async (request, reply) => {
      const accessScope = await accessScopeOf(request);
      const { channels: channelNames, ...filters } = request.query;
      const loadPage = (channels: readonly Channel[] | 'all') => loadPostPage({ ...filters, channels }, accessScope, deps);
      if (channelNames !== undefined) return loadPage(await resolveChannels(channelNames, accessScope, deps));
      if (request.principal.type === 'anonymous' && isNewestPage(filters)) return loadNewestPage(accessScope);
      if (request.principal.type !== 'reader') return loadPage('all');
      markPrivate(reply);
      return loadPage(await loadLineupChannels(request.principal.reader.id, accessScope, deps));
    },
  );
}

/** Returns whether a request asks for the newest page of the default length, without a filter. */
const isNewestPage = ({ limit, ...filters }: Static<typeof FeedQuerystring>): boolean =>
  limit === DEFAULT_PAGE_SIZE && Object.keys(filters).length === 0;

/** Returns the channels that a reader follows and has not muted now. A reader who never saved a line-up follows all. */
async function loadLineupChannels(
  readerId: string,
  accessScope: AccessScope,
  deps: FeedRouteDeps,
): Promise<readonly Channel[] | 'all'> {
  const { entries } = await deps.store.lineup(readerId);
  const nowSeconds = Math.floor(deps.now() / 1000);
  const ids = new Set(
    entries.filter((entry) => entry.followed !== false && !isMuted(entry, nowSeconds)).map((entry) => entry.channelId),
  );
  if (entries.length === 0) return 'all';
  const followed = await deps.store.channelsNamed([...ids], accessScope);
  await touchExternalChannels(followed, deps);
  return followed;
}

/** Services that this module uses. */
export type PostRouteDeps = FindChannelDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'channelAndPost'>;
  };

/** Returns one post by its permalink. Any message id of an album returns the album. */
export function postRoutes(app: App, deps: PostRouteDeps): void {
  app.get(
    '/api/posts/:channel/:id',
    { schema: { summary: 'One post', tags: ['posts'], params: PostParams, response: responses(PostResponse) } },
    async (request) => {
      const accessScope = await accessScopeOf(request);
      const { channel, post: stored } = await findChannelAndPost(request.params, accessScope, deps);
      const post = stored && serializePosts([stored], [channel], deps)[0];
      if (!post) throw notFound(`Post ${request.params.id} of ${channel.title}`);
      return { post, channel: serializeChannels([channel], deps)[0] ?? channel };
    },
  );
}

/** Services that this module uses. */
export type SearchDeps = FindChannelDeps & PaginationDeps;

const SearchQuerystring = Type.Object({ ...SearchFields, before: Type.Optional(CursorParam), limit: LimitParam });

/**
 * Searches all posts that the caller may read, newest first. Without search words it lists the posts that match the
 * other filters.
 */
export function searchRoutes(app: App, deps: SearchDeps): void {
  app.get(
    '/api/search',
    { schema: { summary: 'Search posts', tags: ['posts'], querystring: SearchQuerystring, response: responses(PagedPosts) } },
    async (request) => {
      const accessScope = await accessScopeOf(request);
      const { channels: channelNames, ...filters } = request.query;
      requireSearch(filters);
      const channels = channelNames === undefined ? 'all' : await resolveChannels(channelNames, accessScope, deps);
      return loadPostPage({ ...filters, channels }, accessScope, deps);
    },
  );
}

/** Services that this module uses. */
export type ChannelPostRouteDeps = FindChannelDeps & PaginationDeps;

const PostsQuerystring = Type.Object({
  before: Type.Optional(CursorParam),
  after: Type.Optional(CursorParam),
  around: Type.Optional(MessageId),
  date: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1e11,
      description:
        'Unix seconds. Returns the page around the newest post at or before this time, or the oldest posts if there is none.',
    }),
  ),
  limit: LimitParam,
  media: Type.Optional(MediaFilterParam),
  q: Type.Optional(Type.String({ maxLength: 200 })),
});

/** Returns the posts of one channel: by pages, around a post or at a date. */
export function channelPostRoutes(app: App, deps: ChannelPostRouteDeps): void {
  app.get(
    '/api/channels/:id/posts',
    {
      schema: {
        summary: "A channel's posts, newest first",
        tags: ['channels'],
        params: ChannelParams,
        querystring: PostsQuerystring,
        response: responses(PagedPosts),
      },
    },
    async (request) => {
      const accessScope = await accessScopeOf(request);
      const channel = await findChannel(request.params.id, accessScope, deps);
      const { around, date, ...filters } = request.query;
      if ([around, date, filters.before, filters.after].filter((value) => value !== undefined).length > 1) {
        throw new HttpError(400, 'Only one of before, after, around and date is allowed.');
      }
      const query = { ...filters, channels: [channel] };
      if (around !== undefined) return loadPostsAround(around, channel, query, accessScope, deps);
      return date === undefined ? loadPostPage(query, accessScope, deps) : loadPostsAt(date, query, accessScope, deps);
    },
  );
}
