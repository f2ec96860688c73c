import { MAX_KEPT_UNREAD } from '../../contract/kept-unread.ts';
import { accessScopeOf, requireReader } from '../auth/identity.ts';
import { type FindChannelDeps, findChannelAndPost } from '../channels/find.ts';
import { type NotifyReaderDeps, notifyOtherSessions } from '../events/notify-reader.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { IdempotencyHeaders, idempotencyKeyOf, noContent, PostParams } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type KeptUnreadDeps = FindChannelDeps &
  NotifyReaderDeps & {
    readonly store: Pick<Store, 'channelAndPost' | 'deleteKeptUnread' | 'putKeptUnread'>;
  };

/**
 * Routes of posts that a reader marked as unread although the channel's read marker has passed them. GET /api/marks
 * lists them.
 */
export function keptUnreadRoutes(app: App, deps: KeptUnreadDeps): void {
  const schema = { tags: ['reader'], headers: IdempotencyHeaders, params: PostParams, response: noContent };

  app.put('/api/kept-unread/:channel/:id', { schema: { summary: 'Keep a post unread', ...schema } }, async (request, reply) => {
    const reader = requireReader(request, reply);
    const accessScope = await accessScopeOf(request);
    const { channel, post } = await findChannelAndPost(request.params, accessScope, deps);
    if (post === null) throw notFound(`Post ${request.params.id} of ${channel.title}`);
    if (!(await deps.store.putKeptUnread(reader.id, channel.id, post.id, accessScope, idempotencyKeyOf(request))))
      throw new HttpError(422, `No more than ${MAX_KEPT_UNREAD} posts can be kept unread; mark some of them as read first.`);
    notifyOtherSessions(request, deps);
    return reply.code(204).send(null);
  });

  app.delete(
    '/api/kept-unread/:channel/:id',
    { schema: { summary: 'Mark a post that was kept unread as read', ...schema } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const { channel, id } = request.params;
      const accessScope = await accessScopeOf(request);
      const { channel: known, post } = await deps.store.channelAndPost(channel, id, accessScope);
      await deps.store.deleteKeptUnread(reader.id, known?.id ?? channel, post?.id ?? id, idempotencyKeyOf(request));
      notifyOtherSessions(request, deps);
      return reply.code(204).send(null);
    },
  );
}
