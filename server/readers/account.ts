/** Reader account: the current user, data export, deletion, and merge of a device's state. */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { DeviceState, Me } from '../../contract/api.ts';
import { requireReader } from '../auth/identity.ts';
import type { Config } from '../config.ts';
import type { EventHub } from '../events/event-hub.ts';
import { type NotifyReaderDeps, notifyOtherSessions } from '../events/notify-reader.ts';
import { setXsrfCookie } from '../http/csrf.ts';
import { type App, markPrivate } from '../http/request.ts';
import { noContent, responses } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type AccountDeps = NotifyReaderDeps & {
  readonly config: Config;
  readonly store: Pick<Store, 'deleteReader' | 'readerData' | 'mergeAnonymousState'>;
  readonly eventHub: Pick<EventHub, 'disconnectReader'>;
};

/** Rows of the store, by table. */
const StoredReaderData = Type.Record(
  Type.String(),
  Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]))),
);

/** Maximum size, bytes: 1000 entries and read markers, and 10,000 stars of 62 bytes. */
const MAX_MERGE_BYTES = 1024 * 1024;

/** Routes of the signed-in reader. */
export function accountRoutes(app: App, deps: AccountDeps): void {
  const tags = ['reader'];

  app.get(
    '/api/me',
    { schema: { summary: 'Get the signed-in reader', tags, response: responses(Me) } },
    async (request, reply) => {
      markPrivate(reply);
      setXsrfCookie(request, reply, deps.config);
      return { user: request.principal.type === 'reader' ? request.principal.reader : null };
    },
  );

  app.delete('/api/me', { schema: { summary: 'Delete the reader', tags, response: noContent } }, async (request, reply) => {
    const reader = requireReader(request, reply);
    await deps.store.deleteReader(reader.id);
    // Clients with an open stream authenticate again, and learn from that response that the session has ended.
    deps.eventHub.disconnectReader(reader.id);
    return reply.code(204).send(null);
  });

  app.get(
    '/api/me/data',
    { schema: { summary: 'Export all stored data of the reader', tags, response: responses(StoredReaderData) } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      reply.header('content-disposition', 'attachment; filename="kept-of-me.json"');
      return deps.store.readerData(reader.id);
    },
  );

  app.post(
    '/api/me/merge',
    {
      bodyLimit: MAX_MERGE_BYTES,
      schema: { summary: "Merge a device's state into the reader's state", tags, body: DeviceState, response: noContent },
    },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      await deps.store.mergeAnonymousState(reader.id, request.body, hashDeviceState(request.body));
      notifyOtherSessions(request, deps);
      return reply.code(204).send(null);
    },
  );
}

/**
 * Returns the idempotency key of a merge: the hash of its content. If the response is lost and the device sends the
 * merge again, it does not restore items that were removed in the meantime.
 */
const hashDeviceState = (state: DeviceState): string => createHash('sha256').update(JSON.stringify(state)).digest('hex');
