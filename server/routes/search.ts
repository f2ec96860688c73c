import { Type } from 'typebox';
import { PostPage } from '../../contract/api.ts';
import { audienceOf } from '../auth/identity.ts';
import { type ChosenChannelsDeps, chooseChannels } from '../channels/find.ts';
import { Refusal } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { answers, ChannelList, Cursor, Limit, OnlyMedia } from '../http/schemas.ts';
import { type PaginationDeps, type PostsAsked, postsPage } from '../posts/pagination.ts';

/** Services that this module uses. */
export type SearchDeps = ChosenChannelsDeps & PaginationDeps;

const Instant = Type.Integer({ minimum: 0, maximum: 1e11, description: 'Unix seconds' });

/** What can be searched for. */
export const SearchFields = {
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words, which must all be there in any form, or #hashtags. A last word that nothing follows, not even a space, may be unfinished.',
    }),
  ),
  channels: Type.Optional(ChannelList),
  media: Type.Optional(OnlyMedia),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};

const SearchQuerystring = Type.Object({ ...SearchFields, before: Type.Optional(Cursor), limit: Limit });

/** Throws a Refusal where nothing is searched for. */
export function requireSearch({ q, media, from, to }: Pick<PostsAsked, 'q' | 'media' | 'from' | 'to'>): void {
  if (!q?.trim() && [media, from, to].every((each) => each === undefined))
    throw new Refusal(400, 'Nothing to search for: ask for words (q), a kind of posts (media) or a time (from, to).');
}

/** Search over everything the reader may see, newest first; without words it lists what the other filters leave. */
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
