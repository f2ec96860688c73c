import { Type } from 'typebox';
import type { Channel } from '../../../contract/channel.ts';
import { HiddenPage, type HiddenPost } from '../../../contract/operator.ts';
import { actOf } from '../../acts.ts';
import type { App } from '../../app.ts';
import { EVERYTHING, operatedChannels, requireOperated } from '../../auth/operators.ts';
import type { Context } from '../../context.ts';
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
      const shown = await context.store.post(channel.id, request.params.post, EVERYTHING);
      const acts = shown === null ? [] : [actOf(context, reader, 'hide', { channel, detail: String(shown.id) })];
      if (!(await context.store.withActs(acts).hide(channel.id, request.params.post, Math.floor(context.now() / 1000))))
        throw notFound(`Post ${request.params.post} of ${channel.title}`);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/operator/hidden/:channel/:post',
    { schema: { summary: 'Show a hidden post again', tags, params: HiddenParams, response: silence } },
    async (request, reply) => {
      const { channel, reader } = await requireOperated(request.params.channel, request, reply, context);
      const before = await context.store.post(channel.id, request.params.post, EVERYTHING);
      const detail = String(request.params.post);
      const acts = before === null ? [actOf(context, reader, 'restore', { channel, detail })] : [];
      if (!(await context.store.withActs(acts).hide(channel.id, request.params.post, null)))
        throw notFound(`Post ${request.params.post} of ${channel.title}`);
      return reply.code(204).send(null);
    },
  );
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
