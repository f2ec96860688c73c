import { Channel } from '../../../contract/channel.ts';
import { AddFeed } from '../../../contract/operator.ts';
import { requireOperator } from '../../auth/identity.ts';
import { Refusal } from '../../http/errors.ts';
import type { App } from '../../http/request.ts';
import { answers } from '../../http/schemas.ts';
import { type AuditDeps, actOf } from '../../observability/audit-log.ts';
import { presentChannels, type SerializeDeps } from '../../posts/serialize.ts';
import { FeedUnreadable } from '../../sources/feed/feed-unreadable.ts';
import type { FeedWork } from '../../sources/feed/feed-work.ts';
import { FetchRefused } from '../../sources/fetch/errors.ts';

/** Services that this module uses. */
export type OperatorFeedDeps = AuditDeps & SerializeDeps & FeedWork;

/** Following an RSS, Atom or JSON feed as a channel. */
export function operatorFeedRoutes(app: App, deps: OperatorFeedDeps): void {
  app.post(
    '/api/operator/feeds',
    { schema: { summary: 'Follow a feed as a channel', tags: ['operator'], body: AddFeed, response: answers(Channel) } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const { addFeed } = await import('../../sources/rss/add-feed.ts');
      const channel = await addFeed(request.body.url, deps, (made, detail) =>
        actOf(deps, reader, 'add-feed', { channel: made, detail }),
      ).catch((error: unknown) => {
        if (error instanceof FetchRefused || error instanceof FeedUnreadable) throw new Refusal(422, error.message);
        throw error;
      });
      return presentChannels([channel], deps)[0] ?? channel;
    },
  );
}
