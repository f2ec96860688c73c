/** Post routes: the feed, single posts, search, and the posts of a channel. */
import { Type } from 'typebox';
import { PostAnswer, PostPage } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { isMuted } from '../../contract/merge-lineup.ts';
import { audienceOf } from '../auth/identity.ts';
import { chooseChannels, type FindChannelDeps, findChannel, noteAsked } from '../channels/find.ts';
import { presentChannels, type SerializeDeps } from '../channels/serialize.ts';
import type { Audience } from '../domain/model.ts';
import { notFound, Refusal } from '../http/errors.ts';
import { type App, markOwn } from '../http/request.ts';
import { answers, ChannelList, ChannelParams, Cursor, Limit, MessageId, OnlyMedia, PostParams } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { type PaginationDeps, postsAround, postsAt, postsPage, requireSearch, SearchFields } from './pagination.ts';
import { presentPosts } from './serialize.ts';

/** Services that this module uses. */
export type FeedRouteDeps = PaginationDeps &
  FindChannelDeps & {
    readonly store: Pick<Store, 'channels' | 'lineup'>;
    readonly now: () => number;
  };

const FeedQuerystring = Type.Object({
  channels: Type.Optional(ChannelList),
  before: Type.Optional(Cursor),
  after: Type.Optional(Cursor),
  limit: Limit,
  media: Type.Optional(OnlyMedia),
});

/** Feed over many channels: the requested ones, else the reader's line-up, else all. */
export function feedRoutes(app: App, deps: FeedRouteDeps): void {
  app.get(
    '/api/feed',
    { schema: { summary: 'The feed', tags: ['posts'], querystring: FeedQuerystring, response: answers(PostPage) } },
    async (request, reply) => {
      const audience = await audienceOf(request);
      const { channels: asked, ...rest } = request.query;
      const page = (channels: readonly Channel[] | 'all') => postsPage({ ...rest, channels }, audience, deps);
      if (asked !== undefined) return page(await chooseChannels(asked, audience, deps));
      if (request.who.type !== 'reader') return page('all');
      markOwn(reply);
      return page(await tuned(request.who.reader.id, audience, deps));
    },
  );
}

/** Returns the channels that a reader follows and has not muted now. A reader who never saved a line-up follows all. */
async function tuned(readerId: string, audience: Audience, deps: FeedRouteDeps): Promise<Channel[]> {
  const { entries } = await deps.store.lineup(readerId);
  const seconds = Math.floor(deps.now() / 1000);
  const ids = new Set(
    entries.filter((entry) => entry.followed !== false && !isMuted(entry, seconds)).map((entry) => entry.channelId),
  );
  const all = await deps.store.channels(audience, [...ids]);
  const own = entries.length === 0 ? all : all.filter((channel) => ids.has(channel.id));
  await noteAsked(own, deps);
  return own;
}

/** Services that this module uses. */
export type PostRouteDeps = FindChannelDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'post'>;
  };

/** Returns one post by its permalink. Any message id of an album returns the album. */
export function postRoutes(app: App, deps: PostRouteDeps): void {
  app.get(
    '/api/posts/:channel/:id',
    { schema: { summary: 'One post', tags: ['posts'], params: PostParams, response: answers(PostAnswer) } },
    async (request) => {
      const audience = await audienceOf(request);
      const channel = await findChannel(request.params.channel, audience, deps);
      const stored = await deps.store.post(channel.id, request.params.id, audience);
      const post = stored && presentPosts([stored], [channel], deps)[0];
      if (!post) throw notFound(`Post ${request.params.id} of ${channel.title}`);
      return { post, channel: presentChannels([channel], deps)[0] ?? channel };
    },
  );
}

/** Services that this module uses. */
export type SearchDeps = FindChannelDeps & PaginationDeps;

const SearchQuerystring = Type.Object({ ...SearchFields, before: Type.Optional(Cursor), limit: Limit });

/**
 * Searches all posts that the caller may read, newest first. Without search words it lists the posts that match the other
 * filters.
 */
export function searchRoutes(app: App, deps: SearchDeps): void {
  app.get(
    '/api/search',
    { schema: { summary: 'Search posts', tags: ['posts'], querystring: SearchQuerystring, response: answers(PostPage) } },
    async (request) => {
      const audience = await audienceOf(request);
      const { channels: asked, ...rest } = request.query;
      requireSearch(rest);
      const channels = asked === undefined ? 'all' : await chooseChannels(asked, audience, deps);
      return postsPage({ ...rest, channels }, audience, deps);
    },
  );
}

/** Services that this module uses. */
export type ChannelPostRouteDeps = FindChannelDeps & PaginationDeps;

const PostsQuerystring = Type.Object({
  before: Type.Optional(Cursor),
  after: Type.Optional(Cursor),
  around: Type.Optional(MessageId),
  date: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1e11,
      description: 'Unix seconds: the page around the newest post of this moment or before it, else the oldest posts',
    }),
  ),
  limit: Limit,
  media: Type.Optional(OnlyMedia),
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
        response: answers(PostPage),
      },
    },
    async (request) => {
      const audience = await audienceOf(request);
      const channel = await findChannel(request.params.id, audience, deps);
      const { around, date, ...rest } = request.query;
      if ([around, date, rest.before, rest.after].filter((each) => each !== undefined).length > 1) {
        throw new Refusal(400, 'Only one of before, after, around and date can be asked for.');
      }
      const asked = { ...rest, channels: [channel] };
      if (around !== undefined) return postsAround(around, channel, asked, audience, deps);
      return date === undefined ? postsPage(asked, audience, deps) : postsAt(date, asked, audience, deps);
    },
  );
}
