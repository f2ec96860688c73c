import { PostAnswer } from '../../contract/api.ts';
import { audienceOf } from '../auth/identity.ts';
import { type ChannelRouteDeps, findChannel } from '../channels/routes.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { answers, PostParams } from '../http/schemas.ts';
import { presentChannels, presentPosts, type SerializeDeps } from '../posts/serialize.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type PostRouteDeps = ChannelRouteDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'post'>;
  };

/** One post by its permalink; any message of an album finds the album. */
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
