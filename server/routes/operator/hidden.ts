import { Type } from 'typebox';
import type { Reader } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import { HiddenPage, type HiddenPost } from '../../../contract/operator.ts';
import { actOf } from '../../acts.ts';
import { operatedChannels, requireOperated } from '../../auth/operators.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/request.ts';
import { presentChannels, presentHidden } from '../../present.ts';
import { notFound } from '../../problems.ts';
import { answers, Limit, MessageId, silence } from '../answers.ts';

const HiddenQuerystring = Type.Object({
  channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  limit: Limit,
});
const HiddenParams = Type.Object({ channel: Type.String({ minLength: 1, maxLength: 64 }), post: MessageId });

/** Posts that readers do not get. */
export function hiddenRoutes(app: App, context: Context): void {
  const tags = ['operator'];

  app.get(
    '/api/operator/hidden',
    {
      schema: {
        summary: 'Hidden posts, the last hidden first',
        tags,
        querystring: HiddenQuerystring,
        response: answers(HiddenPage),
      },
    },
    async (request, reply) => {
      const { channel: asked, limit } = request.query;
      const channels = await operatedChannels(asked, request, reply, context);
      return { items: await lastHidden(channels, limit, context), next: null };
    },
  );

  app.put(
    '/api/operator/hidden/:channel/:post',
    { schema: { summary: 'Hide a post from readers', tags, params: HiddenParams, response: silence } },
    async (request, reply) => {
      const { channel, reader } = await requireOperated(request.params.channel, request, reply, context);
      await setHidden({ reader, channel }, request.params.post, true, context);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/operator/hidden/:channel/:post',
    { schema: { summary: 'Show a hidden post again', tags, params: HiddenParams, response: silence } },
    async (request, reply) => {
      const { channel, reader } = await requireOperated(request.params.channel, request, reply, context);
      await setHidden({ reader, channel }, request.params.post, false, context);
      return reply.code(204).send(null);
    },
  );
}

/** Hides the post that holds a message, or shows it again; the act names the post by its first message, and is none where nothing changes. */
async function setHidden(
  { reader, channel }: { readonly reader: Reader; readonly channel: Channel },
  messageId: number,
  hidden: boolean,
  context: Context,
): Promise<void> {
  const { store, now } = context;
  const post = await store.postHolding(channel.id, messageId);
  const detail = String(post?.id);
  const acts =
    post === null || post.hidden === hidden ? [] : [actOf(context, reader, hidden ? 'hide' : 'restore', { channel, detail })];
  if (!(await store.withActs(acts).hide(channel.id, messageId, hidden ? Math.floor(now() / 1000) : null)))
    throw notFound(`Post ${messageId} of ${channel.title}`);
}

async function lastHidden(channels: readonly Channel[], limit: number, context: Context): Promise<HiddenPost[]> {
  const lists = await Promise.all(
    channels.map(async (channel) => {
      const shown = presentChannels([channel], context)[0] ?? channel;
      const hidden = await context.store.hiddenPosts(channel.id, limit);
      return hidden.map(({ post, at }) => ({ post: presentHidden(post, context), channel: shown, at }));
    }),
  );
  return lists
    .flat()
    .sort((one, other) => other.at - one.at)
    .slice(0, limit);
}
