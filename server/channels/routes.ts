import { Type } from 'typebox';
import { ChannelPage, PostPage } from '../../contract/api.ts';
import { Channel } from '../../contract/channel.ts';
import { audienceOf } from '../auth/identity.ts';
import { Refusal } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { answers, ChannelList, ChannelParams, Cursor, Limit, MessageId, OnlyMedia } from '../http/schemas.ts';
import { type PaginationDeps, postsAround, postsAt, postsPage } from '../posts/pagination.ts';
import type { Store } from '../storage/ports/store.ts';
import { type FindChannelDeps, findChannel, namesIn, noteAsked } from './find.ts';
import { presentChannels, type SerializeDeps } from './serialize.ts';

/** Services that this module uses. */
export type ChannelRouteDeps = FindChannelDeps &
  SerializeDeps &
  PaginationDeps & {
    readonly store: Pick<Store, 'channel' | 'channels'>;
  };

const ChannelsQuerystring = Type.Object({ also: Type.Optional(ChannelList) });

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

/** Channels and the posts of one. */
export function channelRoutes(app: App, deps: ChannelRouteDeps): void {
  const tags = ['channels'];

  app.get(
    '/api/channels',
    {
      schema: {
        summary: 'Every channel, and those from elsewhere that `also` names',
        tags,
        querystring: ChannelsQuerystring,
        response: answers(ChannelPage),
      },
    },
    async (request) => {
      const { also = '' } = request.query;
      const channels = await deps.store.channels(await audienceOf(request), namesIn('also', also));
      await noteAsked(channels, deps);
      return { items: presentChannels(channels, deps), next: null };
    },
  );

  app.get(
    '/api/channels/:id',
    { schema: { summary: 'One channel', tags, params: ChannelParams, response: answers(Channel) } },
    async (request) => {
      const channel = await findChannel(request.params.id, await audienceOf(request), deps);
      return presentChannels([channel], deps)[0] ?? channel;
    },
  );

  app.get(
    '/api/channels/:id/posts',
    {
      schema: {
        summary: "A channel's posts, newest first",
        tags,
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
