/** Event stream route: server-sent events (SSE) under /api/events. */
import { Type } from 'typebox';
import { Problem } from '../../contract/api.ts';
import { audienceOf, type IdentityDeps, whoAsks } from '../auth/identity.ts';
import { chooseChannels, type FindChannelDeps, namesIn } from '../channels/find.ts';
import type { Config } from '../config.ts';
import { clientOf } from '../http/client.ts';
import { Refusal } from '../http/errors.ts';
import type { App, Who } from '../http/request.ts';
import { ChannelList } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { type Hearing, type Listener, type Live, ofReader } from './event-hub.ts';

/** Services that this module uses. */
export type EventRouteDeps = FindChannelDeps &
  IdentityDeps & {
    readonly config: Config;
    readonly store: Pick<Store, 'lineup'>;
    readonly live: Pick<Live, 'close' | 'listen'>;
  };

const EventId = Type.String({ minLength: 1, maxLength: 64 });

const EventsQuerystring = Type.Object({
  channels: Type.Optional(ChannelList),
  also: Type.Optional(ChannelList),
  after: Type.Optional(EventId),
  ago: Type.Integer({ minimum: 0, maximum: 600_000, default: 0 }),
});

const EventsHeaders = Type.Object({ 'last-event-id': Type.Optional(EventId) });

const Stream = {
  description: 'Events, their data as contract/events.ts has it',
  content: { 'text/event-stream': { schema: Type.String() } },
};

/** Retry-After of a rejected client, s. */
const RETRY_AFTER_SECONDS = '30';

/** Streams events as server-sent events. A client resumes by the id of the last event that it received. */
export function eventRoutes(app: App, deps: EventRouteDeps): void {
  app.addHook('preClose', async () => deps.live.close());

  app.get(
    '/api/events',
    {
      exposeHeadRoute: false,
      schema: {
        summary: 'What happens, as server-sent events',
        tags: ['posts'],
        querystring: EventsQuerystring,
        headers: EventsHeaders,
        response: { 200: Stream, '4xx': Problem, '5xx': Problem },
      },
    },
    async (request, reply) => {
      const { channels: asked, also = '', after, ago } = request.query;
      const id = request.headers['last-event-id'] ?? after;
      const { who } = request;
      const hearing = async (): Promise<Hearing> => ({
        audience: await audienceOf(request),
        also: new Set([...namesIn('also', also), ...(await inLineup(request.who, deps))]),
      });
      const first = await hearing();
      const channels = asked === undefined ? null : await chooseChannels(asked, first.audience, deps);
      const listener: Listener = {
        whose: who.type === 'reader' ? ofReader(who.reader.id) : clientOf(request.raw, deps.config),
        token: who.type === 'reader' ? who.token : null,
        ...first,
        async ask() {
          request.who = await whoAsks(request, deps);
          return hearing();
        },
        ...(who.type === 'anonymous' && { ask: null }),
        channels: channels && new Set(channels.map((channel) => channel.id)),
        from: id === undefined ? { ago } : { id },
      };
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
      if (!deps.live.listen(reply.raw, listener)) {
        request.refused = 'limit';
        reply.header('retry-after', RETRY_AFTER_SECONDS);
        throw new Refusal(
          503,
          'Too many pages listen already: this one can be read, and shows what is new when it is opened again.',
        );
      }
      reply.hijack();
    },
  );
}

/** Returns the channels of a reader's line-up: the reader receives events of the reader-added channels among them. */
async function inLineup(who: Who, { store }: EventRouteDeps): Promise<string[]> {
  if (who.type !== 'reader') return [];
  return (await store.lineup(who.reader.id)).entries.map(({ channelId }) => channelId);
}
