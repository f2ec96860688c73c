import { Type } from 'typebox';
import { ChannelPage, PostPage } from '../../contract/api.ts';
import { Channel } from '../../contract/channel.ts';
import { audienceOf } from '../auth/who.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/request.ts';
import { postsAround, postsAt, postsPage } from '../pages-of-posts.ts';
import { presentChannels } from '../present.ts';
import { notFound, Refusal } from '../problems.ts';
import type { Audience } from '../store/store.ts';
import { answers, ChannelList, ChannelParams, Cursor, Limit, MessageId, OnlyMedia } from './answers.ts';
import { namesIn, noteAsked } from './chosen-channels.ts';

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
export function channelRoutes(app: App, context: Context): void {
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
      const channels = await context.store.channels(await audienceOf(request), namesIn('also', also));
      await noteAsked(channels, context);
      return { items: presentChannels(channels, context), next: null };
    },
  );

  app.get(
    '/api/channels/:id',
    { schema: { summary: 'One channel', tags, params: ChannelParams, response: answers(Channel) } },
    async (request) => {
      const channel = await findChannel(request.params.id, await audienceOf(request), context);
      return presentChannels([channel], context)[0] ?? channel;
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
      const channel = await findChannel(request.params.id, audience, context);
      const { around, date, ...rest } = request.query;
      if ([around, date, rest.before, rest.after].filter((each) => each !== undefined).length > 1) {
        throw new Refusal(400, 'Only one of before, after, around and date can be asked for.');
      }
      const asked = { ...rest, channels: [channel] };
      if (around !== undefined) return postsAround(around, channel, asked, audience, context);
      return date === undefined ? postsPage(asked, audience, context) : postsAt(date, asked, audience, context);
    },
  );
}

/** The channel of an id or username, or 404; a private one is not there for those who may not read it. */
export async function findChannel(idOrUsername: string, audience: Audience, context: Context): Promise<Channel> {
  const channel = await context.store.channel(idOrUsername.replace(/^@/, ''), audience);
  if (channel === null) throw notFound(`The channel ${idOrUsername}`);
  await noteAsked([channel], context);
  return channel;
}
