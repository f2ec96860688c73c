import { Type } from 'typebox';
import { PostPage } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { isMuted } from '../../contract/merge-lineup.ts';
import { audienceOf } from '../auth/who.ts';
import type { Context } from '../context.ts';
import { type App, markOwn } from '../http/request.ts';
import { postsPage } from '../pages-of-posts.ts';
import type { Audience } from '../store/store.ts';
import { answers, ChannelList, Cursor, Limit, OnlyMedia } from './answers.ts';
import { chooseChannels, noteAsked } from './chosen-channels.ts';

const FeedQuerystring = Type.Object({
  channels: Type.Optional(ChannelList),
  before: Type.Optional(Cursor),
  after: Type.Optional(Cursor),
  limit: Limit,
  media: Type.Optional(OnlyMedia),
});

/** One feed over many channels: those asked for, else the reader's line-up, else all. */
export function feedRoutes(app: App, context: Context): void {
  app.get(
    '/api/feed',
    { schema: { summary: 'The feed', tags: ['posts'], querystring: FeedQuerystring, response: answers(PostPage) } },
    async (request, reply) => {
      const audience = await audienceOf(request);
      const { channels: asked, ...rest } = request.query;
      const page = (channels: readonly Channel[] | 'all') => postsPage({ ...rest, channels }, audience, context);
      if (asked !== undefined) return page(await chooseChannels(asked, audience, context));
      if (request.who.type !== 'reader') return page('all');
      markOwn(reply);
      return page(await tuned(request.who.reader.id, audience, context));
    },
  );
}

/** What a reader follows and has not muted just now; one who never saved a line-up follows all. */
async function tuned(readerId: string, audience: Audience, context: Context): Promise<Channel[]> {
  const { entries } = await context.store.lineup(readerId);
  const seconds = Math.floor(context.now() / 1000);
  const ids = new Set(
    entries.filter((entry) => entry.followed !== false && !isMuted(entry, seconds)).map((entry) => entry.channelId),
  );
  const all = await context.store.channels(audience, [...ids]);
  const own = entries.length === 0 ? all : all.filter((channel) => ids.has(channel.id));
  await noteAsked(own, context);
  return own;
}
