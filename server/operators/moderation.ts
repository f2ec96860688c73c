/** Moderation: routes to hide posts, show them again, and list gaps. */
import { Type } from 'typebox';
import type { Reader } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { GapPage, HiddenPage, type HiddenPost } from '../../contract/operator.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { LimitParam, MessageId, noContent, responses } from '../http/schemas.ts';
import { type AuditDeps, createAuditEntry } from '../observability/audit-log.ts';
import { serializeHiddenPost } from '../posts/serialize.ts';
import type { Store } from '../storage/ports/store.ts';
import { type OperatorAccessDeps, requireOperatedChannel, requireOperatedChannels } from './access.ts';

/** Services that this module uses. */
export type ModerationDeps = OperatorAccessDeps &
  AuditDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'hiddenPosts' | 'findPostOfMessage' | 'withAuditEntries'>;
    readonly now: () => number;
  };

const HiddenQuerystring = Type.Object({
  channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  limit: LimitParam,
});
const HiddenParams = Type.Object({ channel: Type.String({ minLength: 1, maxLength: 64 }), post: MessageId });

/** Routes of posts that are hidden from readers. */
export function hiddenPostRoutes(app: App, deps: ModerationDeps): void {
  const tags = ['operator'];

  app.get(
    '/api/operator/hidden',
    {
      schema: {
        summary: 'Hidden posts, most recently hidden first',
        tags,
        querystring: HiddenQuerystring,
        response: responses(HiddenPage),
      },
    },
    async (request, reply) => {
      const { channel: channelName, limit } = request.query;
      const channels = await requireOperatedChannels(channelName, request, reply, deps);
      return { items: await listHiddenPosts(channels, limit, deps), next: null };
    },
  );

  app.put(
    '/api/operator/hidden/:channel/:post',
    { schema: { summary: 'Hide a post from readers', tags, params: HiddenParams, response: noContent } },
    async (request, reply) => {
      const { channel, reader } = await requireOperatedChannel(request.params.channel, request, reply, deps);
      await setHidden({ reader, channel }, request.params.post, true, deps);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/operator/hidden/:channel/:post',
    { schema: { summary: 'Show a hidden post again', tags, params: HiddenParams, response: noContent } },
    async (request, reply) => {
      const { channel, reader } = await requireOperatedChannel(request.params.channel, request, reply, deps);
      await setHidden({ reader, channel }, request.params.post, false, deps);
      return reply.code(204).send(null);
    },
  );
}

/**
 * Hides the post that contains a message, or shows it again. The audit event names the post by its first message. There
 * is no audit event if nothing changes.
 */
async function setHidden(
  { reader, channel }: { readonly reader: Reader; readonly channel: Channel },
  messageId: number,
  hidden: boolean,
  deps: ModerationDeps,
): Promise<void> {
  const { store, now } = deps;
  const post = await store.findPostOfMessage(channel.id, messageId);
  const detail = String(post?.id);
  const auditEntries =
    post === null || post.hidden === hidden
      ? []
      : [createAuditEntry(deps, reader, hidden ? 'hide' : 'restore', { channel, detail })];
  if (!(await store.withAuditEntries(auditEntries).hidePost(channel.id, messageId, hidden ? Math.floor(now() / 1000) : null)))
    throw notFound(`Post ${messageId} of ${channel.title}`);
}

async function listHiddenPosts(channels: readonly Channel[], limit: number, deps: ModerationDeps): Promise<HiddenPost[]> {
  const lists = await Promise.all(
    channels.map(async (channel) => {
      const serializedChannel = serializeChannels([channel], deps)[0] ?? channel;
      const hidden = await deps.store.hiddenPosts(channel.id, limit);
      return hidden.map(({ post, at }) => ({ post: serializeHiddenPost(post, deps), channel: serializedChannel, at }));
    }),
  );
  return lists
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, limit);
}

/** Services that this module uses. */
export type GapDeps = OperatorAccessDeps & {
  readonly store: Pick<Store, 'gaps'>;
};

const GapsQuerystring = Type.Object({
  channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  limit: LimitParam,
});

/** Route of the gaps where posts may be missing. An import of the channel's export fills them. */
export function gapRoutes(app: App, deps: GapDeps): void {
  app.get(
    '/api/operator/gaps',
    {
      schema: {
        summary: 'Gaps where posts may be missing, newest first in each channel',
        tags: ['operator'],
        querystring: GapsQuerystring,
        response: responses(GapPage),
      },
    },
    async (request, reply) => {
      const { channel: channelName, limit } = request.query;
      const channels = await requireOperatedChannels(channelName, request, reply, deps);
      const loading = channels.map(async ({ id }) =>
        (await deps.store.gaps(id, limit)).map((gap) => ({ channelId: id, ...gap })),
      );
      return { items: (await Promise.all(loading)).flat().slice(0, limit), next: null };
    },
  );
}
