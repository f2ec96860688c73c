import { Channel } from '../../../contract/channel.ts';
import { AddFeed } from '../../../contract/operator.ts';
import { actOf } from '../../acts.ts';
import { requireOperator } from '../../auth/who.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/request.ts';
import { presentChannels } from '../../present.ts';
import { Refusal } from '../../problems.ts';
import { FeedUnreadable } from '../../sources/feed/feed-unreadable.ts';
import { FetchRefused } from '../../sources/feed/fetch-refused.ts';
import { answers } from '../answers.ts';

/** Following an RSS, Atom or JSON feed as a channel. */
export function operatorFeedRoutes(app: App, context: Context): void {
  app.post(
    '/api/operator/feeds',
    { schema: { summary: 'Follow a feed as a channel', tags: ['operator'], body: AddFeed, response: answers(Channel) } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const { addFeed } = await import('../../sources/feed/add-feed.ts');
      const channel = await addFeed(request.body.url, context, (made, detail) =>
        actOf(context, reader, 'add-feed', { channel: made, detail }),
      ).catch((error: unknown) => {
        if (error instanceof FetchRefused || error instanceof FeedUnreadable) throw new Refusal(422, error.message);
        throw error;
      });
      return presentChannels([channel], context)[0] ?? channel;
    },
  );
}
