import { PostAnswer } from '../../contract/api.ts';
import { audienceOf } from '../auth/who.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/request.ts';
import { presentChannels, presentPosts } from '../present.ts';
import { notFound } from '../problems.ts';
import { answers, PostParams } from './answers.ts';
import { findChannel } from './channels.ts';

/** One post by its permalink; any message of an album finds the album. */
export function postRoutes(app: App, context: Context): void {
  app.get(
    '/api/posts/:channel/:id',
    { schema: { summary: 'One post', tags: ['posts'], params: PostParams, response: answers(PostAnswer) } },
    async (request) => {
      const audience = await audienceOf(request);
      const channel = await findChannel(request.params.channel, audience, context);
      const stored = await context.store.post(channel.id, request.params.id, audience);
      const post = stored && presentPosts([stored], [channel], context)[0];
      if (!post) throw notFound(`Post ${request.params.id} of ${channel.title}`);
      return { post, channel: presentChannels([channel], context)[0] ?? channel };
    },
  );
}
