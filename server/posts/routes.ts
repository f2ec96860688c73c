import { Type } from 'typebox';
import { PostPage } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { isMuted } from '../../contract/merge-lineup.ts';
import { audienceOf } from '../auth/identity.ts';
import { type ChosenChannelsDeps, chooseChannels, noteAsked } from '../channels/find.ts';
import type { Audience } from '../domain/model.ts';
import { type App, markOwn } from '../http/request.ts';
import { answers, ChannelList, Cursor, Limit, OnlyMedia } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { type PaginationDeps, postsPage } from './pagination.ts';

/** Services that this module uses. */
export type FeedRouteDeps = PaginationDeps &
  ChosenChannelsDeps & {
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

/** One feed over many channels: those asked for, else the reader's line-up, else all. */
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

/** What a reader follows and has not muted just now; one who never saved a line-up follows all. */
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
