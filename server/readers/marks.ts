/** Read markers: routes for the last read message of each channel and for unread counts. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ReadMarker, ReadMarkerPage, UnreadPage } from '../../contract/api.ts';
import { MAX_EXACT_INTEGER } from '../../contract/lineup.ts';
import { deviceTokenHash } from '../auth/device-token.ts';
import { accessScopeOf, requireReader } from '../auth/identity.ts';
import { type FindChannelDeps, findChannel } from '../channels/find.ts';
import type { ReadState } from '../domain/model.ts';
import { type NotifyReaderDeps, notifyOtherSessions } from '../events/notify-reader.ts';
import { HttpError } from '../http/errors.ts';
import { type App, markPrivate, markUnshared } from '../http/request.ts';
import { ChannelParams, IdempotencyHeaders, idempotencyKeyOf, responses } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type MarkDeps = FindChannelDeps &
  NotifyReaderDeps & {
    readonly store: Pick<Store, 'keptUnread' | 'readMarkers' | 'putReadMarker' | 'queueRead' | 'unreadCounts'>;
    readonly notifications: { trigger(): void } | null;
    readonly now: () => number;
  };

const UnreadQuerystring = Type.Object({
  marks: Type.Optional(
    Type.String({
      maxLength: 16_000,
      description:
        '<channel id>.<message id>, separated by commas. Append `.<post id>` for each post of the channel that is kept unread.',
    }),
  ),
});

const ReadBody = Type.Object({
  messageId: ReadMarker.properties.messageId,
  exact: Type.Optional(Type.Boolean({ description: 'Set the read marker also to an older message: "mark unread"' })),
});

/** Routes of a reader's read markers and of the number of newer posts. */
export function markRoutes(app: App, deps: MarkDeps): void {
  const tags = ['reader'];

  app.get(
    '/api/marks',
    { schema: { summary: 'List read markers', tags, response: responses(ReadMarkerPage) } },
    async (request, reply) => {
      markPrivate(reply);
      if (request.principal.type !== 'reader') return { items: [], next: null, keptUnread: [] };
      const { id } = request.principal.reader;
      const [items, keptUnread] = await Promise.all([deps.store.readMarkers(id), deps.store.keptUnread(id)]);
      return { items, next: null, keptUnread };
    },
  );

  app.get(
    '/api/unread',
    { schema: { summary: 'Unread counts', tags, querystring: UnreadQuerystring, response: responses(UnreadPage) } },
    async (request, reply) => {
      const states = await resolveReadStates(request.query.marks, request, reply, deps);
      return { items: await deps.store.unreadCounts(states, await accessScopeOf(request)), next: null };
    },
  );

  app.put(
    '/api/channels/:id/read',
    {
      schema: {
        summary: 'Set the read marker of a channel',
        tags,
        headers: IdempotencyHeaders,
        params: ChannelParams,
        body: ReadBody,
        response: responses(ReadMarker),
      },
    },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const channel = await findChannel(request.params.id, await accessScopeOf(request), deps);
      const change = { channelId: channel.id, messageId: request.body.messageId };
      const marker = await deps.store.putReadMarker(reader.id, change, request.body.exact ?? false, idempotencyKeyOf(request));
      notifyOtherSessions(request, deps);
      if (request.body.exact !== true) await closeNotifications(request, reader.id, marker, deps);
      return marker;
    },
  );
}

/** Closes the notifications of posts that were read, on the reader's other devices. */
async function closeNotifications(
  request: FastifyRequest,
  readerId: string,
  { channelId, messageId: postId }: ReadMarker,
  { store, notifications, now }: MarkDeps,
): Promise<void> {
  if (notifications === null) return;
  if (await store.queueRead(readerId, { channelId, postId }, deviceTokenHash(request), now())) notifications.trigger();
}

/** Returns the read states of the query string, else the reader's own. */
async function resolveReadStates(
  marksParam: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: MarkDeps,
): Promise<ReadState[]> {
  if (marksParam !== undefined) {
    markUnshared(reply);
    return marksParam.split(',').filter(Boolean).map(parseReadState);
  }
  markPrivate(reply);
  return request.principal.type === 'reader' ? loadReadStates(request.principal.reader.id, deps) : [];
}

async function loadReadStates(readerId: string, { store }: MarkDeps): Promise<ReadState[]> {
  const [markers, keptUnread] = await Promise.all([store.readMarkers(readerId), store.keptUnread(readerId)]);
  const postIds = new Map<string, number[]>();
  for (const key of keptUnread) {
    const [channelId = '', postId] = key.split('/');
    postIds.set(channelId, [...(postIds.get(channelId) ?? []), Number(postId)]);
  }
  // In a channel without a read marker, only these posts count as unread.
  const unmarkedChannelIds = [...postIds.keys()].filter((id) => !markers.some(({ channelId }) => channelId === id));
  return [...markers, ...unmarkedChannelIds.map((channelId) => ({ channelId, messageId: MAX_EXACT_INTEGER }))].map((marker) => ({
    ...marker,
    keptUnread: postIds.get(marker.channelId) ?? [],
  }));
}

function parseReadState(text: string): ReadState {
  const [, channelId, messageId, unreadIds = ''] = /^([^.]{1,64})\.(\d{1,15})((?:\.\d{1,15})*)$/.exec(text.trim()) ?? [];
  if (channelId === undefined)
    throw new HttpError(400, `marks contains "${text.slice(0, 80)}"; the form is <channel id>.<message id>.`);
  return { channelId, messageId: Number(messageId), keptUnread: unreadIds.split('.').filter(Boolean).map(Number) };
}
