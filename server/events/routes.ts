/** Event stream route: server-sent events (SSE) under /api/events. */
import { Type } from 'typebox';
import { Problem } from '../../contract/api.ts';
import { accessScopeOf, authenticate, type IdentityDeps } from '../auth/identity.ts';
import { type FindChannelDeps, parseChannelNames, resolveChannels } from '../channels/find.ts';
import type { Config } from '../config.ts';
import { clientAddress } from '../http/client.ts';
import { HttpError } from '../http/errors.ts';
import type { App, Principal } from '../http/request.ts';
import { ChannelListParam } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import type { EventHub } from './event-hub.ts';
import { readerKey, type SubscriptionRequest, type SubscriptionScope } from './subscription.ts';

/** Services that this module uses. */
export type EventRouteDeps = FindChannelDeps &
  IdentityDeps & {
    readonly config: Config;
    readonly store: Pick<Store, 'lineup'>;
    readonly eventHub: Pick<EventHub, 'close' | 'subscribe'>;
  };

const EventId = Type.String({ minLength: 1, maxLength: 64 });

const EventsQuerystring = Type.Object({
  channels: Type.Optional(ChannelListParam),
  also: Type.Optional(ChannelListParam),
  after: Type.Optional(EventId),
  ago: Type.Integer({ minimum: 0, maximum: 600_000, default: 0 }),
});

const EventsHeaders = Type.Object({ 'last-event-id': Type.Optional(EventId) });

const EventStreamResponse = {
  description: 'Events; contract/events.ts defines their data',
  content: { 'text/event-stream': { schema: Type.String() } },
};

/** Retry-After of a rejected client, s. */
const RETRY_AFTER_SECONDS = '30';

/** Streams events as server-sent events. A client resumes by the id of the last event that it received. */
export function eventRoutes(app: App, deps: EventRouteDeps): void {
  app.addHook('preClose', async () => deps.eventHub.close());

  app.get(
    '/api/events',
    {
      exposeHeadRoute: false,
      // The post of an event may not be on the replica yet.
      config: { readsPrimary: true },
      schema: {
        summary: 'Event stream (server-sent events)',
        tags: ['posts'],
        querystring: EventsQuerystring,
        headers: EventsHeaders,
        response: { 200: EventStreamResponse, '4xx': Problem, '5xx': Problem },
      },
    },
    async (request, reply) => {
      const { channels: requested, also = '', after, ago } = request.query;
      const id = request.headers['last-event-id'] ?? after;
      const { principal } = request;
      const loadScope = async (): Promise<SubscriptionScope> => ({
        accessScope: await accessScopeOf(request),
        extraChannels: new Set([...parseChannelNames('also', also), ...(await lineupChannelIds(request.principal, deps))]),
      });
      const scope = await loadScope();
      const channels = requested === undefined ? null : await resolveChannels(requested, scope.accessScope, deps);
      const subscription: SubscriptionRequest = {
        ownerKey: principal.type === 'reader' ? readerKey(principal.reader.id) : clientAddress(request.raw, deps.config),
        token: principal.type === 'reader' ? principal.token : null,
        ...scope,
        async refreshAccess() {
          request.principal = await authenticate(request, deps);
          return loadScope();
        },
        ...(principal.type === 'anonymous' && { refreshAccess: null }),
        channels: channels && new Set(channels.map((channel) => channel.id)),
        from: id === undefined ? { ago } : { id },
      };
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
      if (!deps.eventHub.subscribe(reply.raw, subscription)) {
        request.rejection = 'limit';
        reply.header('retry-after', RETRY_AFTER_SECONDS);
        throw new HttpError(
          503,
          'Too many event streams are open: this page can be read, and shows new posts when it is opened again.',
        );
      }
      reply.hijack();
    },
  );
}

/** Returns the channels of a reader's line-up: the reader receives events of the reader-added channels among them. */
async function lineupChannelIds(principal: Principal, { store }: EventRouteDeps): Promise<string[]> {
  if (principal.type !== 'reader') return [];
  return (await store.lineup(principal.reader.id)).entries.map(({ channelId }) => channelId);
}
