import { PostAnswer } from '../../contract/api.ts';
import { audienceOf } from '../auth/who.ts';
import type { App } from '../http/request.ts';
import { presentChannels, presentPosts, type SerializeDeps } from '../present.ts';
import { notFound } from '../problems.ts';
import type { Store } from '../store/store.ts';
import { answers, PostParams } from './answers.ts';
import { type ChannelRouteDeps, findChannel } from './channels.ts';

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
