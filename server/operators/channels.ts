/** Operator channels: routes to connect, disconnect, accept and recheck channels, add feeds and remove the demo. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Reader } from '../../contract/api.ts';
import { Channel } from '../../contract/channel.ts';
import { AddFeed, ConnectResponse, Disconnect, OperatorOverview } from '../../contract/operator.ts';
import { requireOperator, requireReader } from '../auth/identity.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import type { Config } from '../config.ts';
import { FULL_ACCESS } from '../domain/model.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { ChannelParams, noContent, responses } from '../http/schemas.ts';
import { type AuditDeps, createAuditEntry } from '../observability/audit-log.ts';
import { removeDemo } from '../sources/demo.ts';
import { FetchError } from '../sources/fetch/errors.ts';
import { type FeedDeps, FeedError } from '../sources/rss/types.ts';
import type { Bot } from '../sources/telegram/bot.ts';
import type { Store } from '../storage/ports/store.ts';
import { operatorForbidden } from './access.ts';
import { buildOperatorOverview, listOperatedChannels, mayConnectChannels, type OverviewDeps } from './overview.ts';

/** Services that this module uses. */
export type OperatorChannelDeps = OverviewDeps &
  AuditDeps & {
    readonly store: Pick<Store, 'channel' | 'connection' | 'withAuditEntries'>;
    readonly bot: Bot | null;
    readonly now: () => number;
  };

const OverviewQuerystring = Type.Object({ elsewhere: Type.Boolean({ default: false }) });

/** Time in which a disconnection can be undone, s. */
const UNDO_SECONDS = 600;

/** Reader and channel of an action. */
interface OperatedChannel {
  readonly reader: Reader;
  readonly channel: { readonly id: string; readonly title: string };
}

/** Routes of the operators' channel list and of the actions on a channel. */
export function operatorChannelRoutes(app: App, deps: OperatorChannelDeps): void {
  app.get(
    '/api/operator/channels',
    {
      schema: {
        summary: 'Channels and their health, or the feeds that readers added',
        tags: ['operator'],
        querystring: OverviewQuerystring,
        response: responses(OperatorOverview),
      },
    },
    async (request, reply) => buildOperatorOverview(requireReader(request, reply), request.query.elsewhere, deps),
  );
  disconnectionRoutes(app, deps);
  recheckRoute(app, deps);
  connectionRequestRoutes(app, deps);
}

const actionSchema = (summary: string) => ({ summary, tags: ['operator'], params: ChannelParams, response: noContent });

const nowSeconds = ({ now }: OperatorChannelDeps): number => Math.floor(now() / 1000);

/** Routes to disconnect a channel, and to undo that within `UNDO_SECONDS`. */
function disconnectionRoutes(app: App, deps: OperatorChannelDeps): void {
  app.post(
    '/api/operator/channels/:id/disconnect',
    { schema: { ...actionSchema('Disconnect a channel'), body: Disconnect } },
    async (request, reply) => {
      const { keep } = request.body;
      const { reader, channel } = await requireVisibleChannel(request, reply, deps);
      const disconnection = { at: nowSeconds(deps), due: nowSeconds(deps) + UNDO_SECONDS, remove: !keep };
      const entry = createAuditEntry(deps, reader, 'disconnect', { channel, detail: keep ? 'keep' : 'remove' });
      if (!(await deps.store.withAuditEntries([entry]).disconnect(channel.id, disconnection)))
        throw new HttpError(409, `${channel.title} is already being disconnected.`);
      return reply.code(204).send(null);
    },
  );

  app.post('/api/operator/channels/:id/reconnect', { schema: actionSchema('Undo a disconnection') }, async (request, reply) => {
    const { reader, channel } = await requireVisibleChannel(request, reply, deps);
    if (!(await deps.store.withAuditEntries([createAuditEntry(deps, reader, 'reconnect', { channel })]).reconnect(channel.id)))
      throw new HttpError(409, `The disconnection can no longer be undone: connect ${channel.title} again.`);
    await deps.bot?.resumeChannel(channel.id);
    return reply.code(204).send(null);
  });
}

/** Route to look for posts that were deleted in Telegram. */
function recheckRoute(app: App, deps: OperatorChannelDeps): void {
  app.post(
    '/api/operator/channels/:id/recheck',
    { schema: { ...actionSchema('Check a channel for deleted posts'), response: { ...noContent, 202: Type.Null() } } },
    async (request, reply) => {
      const { reader, channel } = await requireVisibleChannel(request, reply, deps);
      const connection = await deps.store.connection(channel.id);
      if (connection?.status !== 'connected')
        throw new HttpError(409, `Posts can only be rechecked while the bot is in the channel: connect ${channel.title} first.`);
      const auditedStore = deps.store.withAuditEntries([createAuditEntry(deps, reader, 'recheck', { channel })]);
      await auditedStore.setRecheck(channel.id, Number.MAX_SAFE_INTEGER, nowSeconds(deps));
      deps.bot?.triggerTasks();
      return reply.code(202).send(null);
    },
  );
}

/** Routes to accept or decline a channel to which someone without permission added the bot. */
function connectionRequestRoutes(app: App, deps: OperatorChannelDeps): void {
  app.post(
    '/api/operator/channels/:id/accept',
    { schema: actionSchema('Accept a connection request of a channel') },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const connection = await requirePendingConnection(request.params.id, deps);
      await deps.store
        .withAuditEntries([createAuditEntry(deps, reader, 'accept', { channel: connection })])
        .acceptConnection(connection.id, reader.id);
      await deps.bot?.resumeChannel(connection.id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/operator/channels/:id/decline',
    { schema: actionSchema('Decline a connection request of a channel') },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const connection = await requirePendingConnection(request.params.id, deps);
      await deps.bot?.leaveChannel(connection.id);
      await deps.store
        .withAuditEntries([createAuditEntry(deps, reader, 'decline', { channel: connection })])
        .markLeft(connection.id);
      return reply.code(204).send(null);
    },
  );
}

/**
 * Returns a channel that the caller may manage. Throws 401 or 403, and 404 for an operator of the site. Other callers
 * do not learn whether another channel exists.
 */
async function requireVisibleChannel(
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  deps: OperatorChannelDeps,
): Promise<OperatedChannel> {
  const reader = requireReader(request, reply);
  const requested = await deps.store.channel(request.params.id, FULL_ACCESS);
  const id = requested?.id ?? request.params.id;
  const found = (await listOperatedChannels(reader, deps)).find(({ channel }) => channel.id === id);
  if (found && found.connection?.status !== 'asking') return { reader, channel: found.channel };
  if (reader.operator) throw notFound(`The channel ${request.params.id}`);
  throw operatorForbidden();
}

async function requirePendingConnection(id: string, { store }: OperatorChannelDeps): Promise<{ id: string; title: string }> {
  const connection = await store.connection(id);
  if (connection?.status === 'asking') return { id, title: connection.title };
  throw new HttpError(409, 'This channel has no pending connection request.');
}

/** Services that this module uses. */
export type DemoDeps = AuditDeps & {
  readonly store: Store;
};

/** Route to remove the demo network with one action. */
export function demoRoutes(app: App, deps: DemoDeps): void {
  app.delete(
    '/api/demo',
    { schema: { summary: 'Remove the demo network', tags: ['operator'], response: noContent } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      await removeDemo(deps.store, createAuditEntry(deps, reader, 'remove-demo'));
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
 * Route to begin the connection of a channel. Anyone can add the bot to a channel; a channel whose connection did not
 * begin here may wait for an operator's approval.
 */
export function connectRoutes(app: App, deps: ConnectDeps): void {
  app.post(
    '/api/operator/connect',
    { schema: { summary: 'Start to connect a channel', tags: ['operator'], response: responses(ConnectResponse) } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      if (!mayConnectChannels(reader, deps.config))
        throw new HttpError(
          403,
          'Only operators can connect channels to this site: ask an operator, or add the bot and wait for approval.',
        );
      if (deps.bot === null) throw new HttpError(503, 'No bot is configured: BOT_TOKEN is missing.');
      const invitation = await deps.bot.prepareInvite(reader.id);
      if (invitation === null) throw new HttpError(503, 'Telegram is not reachable at the moment: try again later.');
      return invitation;
    },
  );
}

/** Services that this module uses. */
export type OperatorFeedDeps = AuditDeps & SerializeDeps & FeedDeps;

/** Route to follow an RSS, Atom or JSON feed as a channel. */
export function operatorFeedRoutes(app: App, deps: OperatorFeedDeps): void {
  app.post(
    '/api/operator/feeds',
    { schema: { summary: 'Follow a feed as a channel', tags: ['operator'], body: AddFeed, response: responses(Channel) } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const { addFeed } = await import('../sources/rss/add-feed.ts');
      const channel = await addFeed(request.body.url, deps, (added, detail) =>
        createAuditEntry(deps, reader, 'add-feed', { channel: added, detail }),
      ).catch((error: unknown) => {
        if (error instanceof FetchError || error instanceof FeedError) throw new HttpError(422, error.message);
        throw error;
      });
      return serializeChannels([channel], deps)[0] ?? channel;
    },
  );
}
