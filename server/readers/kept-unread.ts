import { MAX_KEPT_UNREAD } from '../../contract/kept-unread.ts';
import { audienceOf, requireReader } from '../auth/identity.ts';
import { type FindChannelDeps, findChannel } from '../channels/find.ts';
import { type NotifyReaderDeps, tellOwnPages } from '../events/notify-reader.ts';
import { notFound, Refusal } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { ChangeHeaders, changeKey, PostParams, silence } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type KeptUnreadDeps = FindChannelDeps &
  NotifyReaderDeps & {
    readonly store: Pick<Store, 'channel' | 'dropKeptUnread' | 'post' | 'putKeptUnread'>;
  };

/**
 * Routes of posts that a reader marked as unread although the channel's read marker has passed them. GET /api/marks lists them.
 */
export function keptUnreadRoutes(app: App, deps: KeptUnreadDeps): void {
  const schema = { tags: ['reader'], headers: ChangeHeaders, params: PostParams, response: silence };

  app.put('/api/kept-unread/:channel/:id', { schema: { summary: 'Keep a post unread', ...schema } }, async (request, reply) => {
    const reader = requireReader(request, reply);
    const audience = await audienceOf(request);
    const channel = await findChannel(request.params.channel, audience, deps);
    const post = await deps.store.post(channel.id, request.params.id, audience);
    if (post === null) throw notFound(`Post ${request.params.id} of ${channel.title}`);
    if (!(await deps.store.putKeptUnread(reader.id, channel.id, post.id, audience, changeKey(request))))
      throw new Refusal(422, `No more than ${MAX_KEPT_UNREAD} posts can be kept unread; mark some of them as read first.`);
    tellOwnPages(request, deps);
    return reply.code(204).send(null);
  });

  app.delete(
    '/api/kept-unread/:channel/:id',
    { schema: { summary: 'Mark a post that was kept unread as read', ...schema } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const { channel, id } = request.params;
      const audience = await audienceOf(request);
      const known = await deps.store.channel(channel, audience);
      const post = known && (await deps.store.post(known.id, id, audience));
      await deps.store.dropKeptUnread(reader.id, known?.id ?? channel, post?.id ?? id, changeKey(request));
      tellOwnPages(request, deps);
      return reply.code(204).send(null);
    },
  );
}
