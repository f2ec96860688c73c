/** Operator channels: routes to connect, disconnect, accept and recheck channels, add feeds and remove the demo. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Reader } from '../../contract/api.ts';
import { Channel } from '../../contract/channel.ts';
import { AddFeed, ConnectAnswer, Disconnect, OperatorOverview } from '../../contract/operator.ts';
import { requireOperator, requireReader } from '../auth/identity.ts';
import { presentChannels, type SerializeDeps } from '../channels/serialize.ts';
import type { Config } from '../config.ts';
import { notFound, Refusal } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { answers, ChannelParams, silence } from '../http/schemas.ts';
import { type AuditDeps, actOf } from '../observability/audit-log.ts';
import { removeDemo } from '../sources/demo.ts';
import { FetchRefused } from '../sources/fetch/errors.ts';
import { FeedUnreadable, type FeedWork } from '../sources/rss/types.ts';
import type { Bot } from '../sources/telegram/bot.ts';
import type { Store } from '../storage/ports/store.ts';
import { mayBegin, type OverviewDeps, operatorOverview, operatorsView } from './overview.ts';

/** Services that this module uses. */
export type OperatorChannelDeps = OverviewDeps &
  AuditDeps & {
    readonly store: Pick<Store, 'channel' | 'connection' | 'withActs'>;
    readonly bot: Bot | null;
    readonly now: () => number;
  };

const OverviewQuerystring = Type.Object({ elsewhere: Type.Boolean({ default: false }) });

/** Time in which a disconnection can be undone, s. */
const UNDO_FOR = 600;

/** Reader and channel of an action. */
interface Operated {
  readonly reader: Reader;
  readonly channel: { readonly id: string; readonly title: string };
}

/** Routes of the operators' channel list and of the actions on a channel. */
export function operatorChannelRoutes(app: App, deps: OperatorChannelDeps): void {
  const tags = ['operator'];
  const { store } = deps;
  const seconds = () => Math.floor(deps.now() / 1000);
  const schema = (summary: string) => ({ summary, tags, params: ChannelParams, response: silence });

  app.get(
    '/api/operator/channels',
    {
      schema: {
        summary: 'Channels and their health, or those that readers added',
        tags,
        querystring: OverviewQuerystring,
        response: answers(OperatorOverview),
      },
    },
    async (request, reply) => operatorOverview(requireReader(request, reply), request.query.elsewhere, deps),
  );

  app.post(
    '/api/operator/channels/:id/disconnect',
    { schema: { ...schema('Disconnect a channel'), body: Disconnect } },
    async (request, reply) => {
      const { keep } = request.body;
      const { reader, channel } = await requireSeen(request, reply, deps);
      const how = { at: seconds(), due: seconds() + UNDO_FOR, remove: !keep };
      const act = actOf(deps, reader, 'disconnect', { channel, detail: keep ? 'keep' : 'remove' });
      if (!(await store.withActs([act]).disconnect(channel.id, how)))
        throw new Refusal(409, `${channel.title} is being disconnected already.`);
      return reply.code(204).send(null);
    },
  );

  app.post('/api/operator/channels/:id/reconnect', { schema: schema('Take a disconnection back') }, async (request, reply) => {
    const { reader, channel } = await requireSeen(request, reply, deps);
    if (!(await store.withActs([actOf(deps, reader, 'reconnect', { channel })]).reconnect(channel.id)))
      throw new Refusal(409, `It is too late to take it back: connect ${channel.title} again.`);
    await deps.bot?.resume(channel.id);
    return reply.code(204).send(null);
  });

  app.post(
    '/api/operator/channels/:id/recheck',
    { schema: { ...schema('Look for deleted posts'), response: { ...silence, 202: Type.Null() } } },
    async (request, reply) => {
      const { reader, channel } = await requireSeen(request, reply, deps);
      const connection = await store.connection(channel.id);
      if (connection?.status !== 'connected')
        throw new Refusal(409, `Telegram can be asked only of a channel that the bot is in: connect ${channel.title} first.`);
      const acting = store.withActs([actOf(deps, reader, 'recheck', { channel })]);
      await acting.setRecheck(channel.id, Number.MAX_SAFE_INTEGER, seconds());
      deps.bot?.wake();
      return reply.code(202).send(null);
    },
  );

  app.post('/api/operator/channels/:id/accept', { schema: schema('Accept a channel that asks') }, async (request, reply) => {
    const reader = requireOperator(request, reply);
    const connection = await requireAsking(request.params.id, deps);
    await store.withActs([actOf(deps, reader, 'accept', { channel: connection })]).accept(connection.id, reader.id);
    await deps.bot?.resume(connection.id);
    return reply.code(204).send(null);
  });

  app.post('/api/operator/channels/:id/decline', { schema: schema('Decline a channel that asks') }, async (request, reply) => {
    const reader = requireOperator(request, reply);
    const connection = await requireAsking(request.params.id, deps);
    await deps.bot?.leave(connection.id);
    await store.withActs([actOf(deps, reader, 'decline', { channel: connection })]).noteLeft(connection.id);
    return reply.code(204).send(null);
  });
}

/** Returns a channel among those that the caller may manage. The response does not reveal whether another channel exists. */
async function requireSeen(
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  deps: OperatorChannelDeps,
): Promise<Operated> {
  const reader = requireReader(request, reply);
  const asked = await deps.store.channel(request.params.id, { privateChannels: 'all' });
  const id = asked?.id ?? request.params.id;
  const found = (await operatorsView(reader, deps)).find(({ channel }) => channel.id === id);
  if (found && found.connection?.status !== 'asking') return { reader, channel: found.channel };
  if (reader.operator) throw notFound(`The channel ${request.params.id}`);
  throw new Refusal(403, 'Only an operator of this site or an administrator of the channel may do this.');
}

async function requireAsking(id: string, { store }: OperatorChannelDeps): Promise<{ id: string; title: string }> {
  const connection = await store.connection(id);
  if (connection?.status === 'asking') return { id, title: connection.title };
  throw new Refusal(409, 'This channel does not ask to be connected, or not any more.');
}

/** Services that this module uses. */
export type DemoDeps = AuditDeps & {
  readonly store: Store;
};

/** Route to remove the demo network with one action. */
export function demoRoutes(app: App, deps: DemoDeps): void {
  app.delete(
    '/api/demo',
    { schema: { summary: 'Remove the demo network', tags: ['operator'], response: silence } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      await removeDemo(deps.store, actOf(deps, reader, 'remove-demo'));
      return reply.code(204).send(null);
    },
  );
}

/** Services that this module uses. */
export type ConnectDeps = {
  readonly config: Config;
  readonly bot: Bot | null;
};

/**
 * Route to begin the connection of a channel. Anyone may add the bot to their channel, but it is only accepted if they began
 * here.
 */
export function connectRoutes(app: App, deps: ConnectDeps): void {
  app.post(
    '/api/operator/connect',
    { schema: { summary: 'Begin to connect a channel', tags: ['operator'], response: answers(ConnectAnswer) } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      if (!mayBegin(reader, deps.config))
        throw new Refusal(
          403,
          'Only operators connect channels to this site: ask one of them, or add the bot and wait to be accepted.',
        );
      if (deps.bot === null) throw new Refusal(503, 'No bot is set up here: BOT_TOKEN is missing.');
      const invitation = await deps.bot.invite(reader.id);
      if (invitation === null) throw new Refusal(503, 'Telegram cannot be reached just now: try again in a moment.');
      return invitation;
    },
  );
}

/** Services that this module uses. */
export type OperatorFeedDeps = AuditDeps & SerializeDeps & FeedWork;

/** Route to follow an RSS, Atom or JSON feed as a channel. */
export function operatorFeedRoutes(app: App, deps: OperatorFeedDeps): void {
  app.post(
    '/api/operator/feeds',
    { schema: { summary: 'Follow a feed as a channel', tags: ['operator'], body: AddFeed, response: answers(Channel) } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const { addFeed } = await import('../sources/rss/add-feed.ts');
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
