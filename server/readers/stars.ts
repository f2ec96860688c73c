/** Star routes: list, add and remove the posts that a reader saved. */
import { Type } from 'typebox';
import { type Star, StarPage } from '../../contract/api.ts';
import type { Post } from '../../contract/post.ts';
import { accessScopeOf, requireReader } from '../auth/identity.ts';
import { type FindChannelDeps, findChannelAndPost } from '../channels/find.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import type { AccessScope } from '../domain/model.ts';
import { type NotifyReaderDeps, notifyOtherSessions } from '../events/notify-reader.ts';
import { notFound } from '../http/errors.ts';
import { type App, markPrivate } from '../http/request.ts';
import {
  CursorParam,
  IdempotencyHeaders,
  idempotencyKeyOf,
  LimitParam,
  noContent,
  PostParams,
  responses,
} from '../http/schemas.ts';
import { decodeCursor, encodeCursor } from '../posts/pagination.ts';
import { serializePosts } from '../posts/serialize.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type StarDeps = FindChannelDeps &
  NotifyReaderDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'channelAndPost' | 'channelsNamed' | 'deleteStar' | 'post' | 'putStar' | 'stars'>;
    readonly now: () => number;
  };

const StarsQuerystring = Type.Object({ before: Type.Optional(CursorParam), limit: LimitParam });

/** Routes of a reader's starred posts, the latest star first. */
export function starRoutes(app: App, deps: StarDeps): void {
  const tags = ['reader'];

  app.get(
    '/api/stars',
    { schema: { summary: 'Starred posts', tags, querystring: StarsQuerystring, response: responses(StarPage) } },
    async (request, reply) => {
      markPrivate(reply);
      if (request.principal.type !== 'reader') return { items: [], next: null, posts: [], channels: [] };
      const { before, limit } = request.query;
      const position = before === undefined ? null : decodeCursor(before, 'before');
      const from = position && { at: position.date, channelId: position.channelId, postId: position.id };
      const stars = await deps.store.stars(request.principal.reader.id, from, limit + 1);
      return buildStarPage(stars, limit, await accessScopeOf(request), deps);
    },
  );

  app.put(
    '/api/stars/:channel/:id',
    { schema: { summary: 'Star a post', tags, headers: IdempotencyHeaders, params: PostParams, response: noContent } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const accessScope = await accessScopeOf(request);
      const { channel, post } = await findChannelAndPost(request.params, accessScope, deps);
      if (post === null) throw notFound(`Post ${request.params.id} of ${channel.title}`);
      const star = { channelId: channel.id, postId: post.id, at: deps.now() };
      await deps.store.putStar(reader.id, star, idempotencyKeyOf(request));
      notifyOtherSessions(request, deps);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/stars/:channel/:id',
    { schema: { summary: 'Remove a star', tags, headers: IdempotencyHeaders, params: PostParams, response: noContent } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const { channel, id } = request.params;
      const accessScope = await accessScopeOf(request);
      const { channel: known, post } = await deps.store.channelAndPost(channel, id, accessScope);
      await deps.store.deleteStar(reader.id, known?.id ?? channel, post?.id ?? id, idempotencyKeyOf(request));
      notifyOtherSessions(request, deps);
      return reply.code(204).send(null);
    },
  );
}

/** Builds a page of stars. Stars of deleted posts remain in `items`, so that the reader can remove them. */
async function buildStarPage(stars: readonly Star[], limit: number, accessScope: AccessScope, deps: StarDeps): Promise<StarPage> {
  const items = stars.slice(0, limit);
  const last = items.at(-1);
  const found = await Promise.all(items.map((star) => deps.store.post(star.channelId, star.postId, accessScope)));
  const posts = found.filter((post): post is Post => post !== null);
  const channels = await deps.store.channelsNamed([...new Set(posts.map((post) => post.channelId))], accessScope);
  return {
    items,
    next: stars.length > limit && last ? encodeCursor({ date: last.at, channelId: last.channelId, id: last.postId }) : null,
    posts: serializePosts(posts, channels, deps),
    channels: serializeChannels(channels, deps),
  };
}
