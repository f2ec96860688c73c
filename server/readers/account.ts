/** Reader account: the current user, data export, deletion, and merge of a device's state. */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Me, Merge } from '../../contract/api.ts';
import { requireReader } from '../auth/identity.ts';
import type { Config } from '../config.ts';
import type { Live } from '../events/event-hub.ts';
import { type NotifyReaderDeps, tellOwnPages } from '../events/notify-reader.ts';
import { giveXsrf } from '../http/csrf.ts';
import { type App, markOwn } from '../http/request.ts';
import { answers, silence } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type AccountDeps = NotifyReaderDeps & {
  readonly config: Config;
  readonly store: Pick<Store, 'dropReader' | 'keptOf' | 'merge'>;
  readonly live: Pick<Live, 'endReader'>;
};

/** Rows of the store, by table. */
const Kept = Type.Record(
  Type.String(),
  Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]))),
);

/** Maximum size, bytes: 1000 entries and read markers, and 10,000 stars of 62 bytes. */
const MERGE_LIMIT = 1024 * 1024;

/** Routes of the signed-in reader. */
export function meRoutes(app: App, deps: AccountDeps): void {
  const tags = ['reader'];

  app.get('/api/me', { schema: { summary: 'Who asks', tags, response: answers(Me) } }, async (request, reply) => {
    markOwn(reply);
    giveXsrf(request, reply, deps.config);
    return { user: request.who.type === 'reader' ? request.who.reader : null };
  });

  app.delete('/api/me', { schema: { summary: 'Erase the reader', tags, response: silence } }, async (request, reply) => {
    const reader = requireReader(request, reply);
    await deps.store.dropReader(reader.id);
    // Clients with an open stream authenticate again, and learn from that response that the session has ended.
    deps.live.endReader(reader.id);
    return reply.code(204).send(null);
  });

  app.get(
    '/api/me/data',
    { schema: { summary: 'Everything that is kept of the reader', tags, response: answers(Kept) } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      reply.header('content-disposition', 'attachment; filename="kept-of-me.json"');
      return deps.store.keptOf(reader.id);
    },
  );

  app.post(
    '/api/me/merge',
    {
      bodyLimit: MERGE_LIMIT,
      schema: { summary: "Unite a device's state with the reader's", tags, body: Merge, response: silence },
    },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      await deps.store.merge(reader.id, request.body, nameOf(request.body));
      tellOwnPages(request, deps);
      return reply.code(204).send(null);
    },
  );
}

/**
 * Returns the idempotency key of a merge: the hash of its content. If the response is lost and the device sends the merge again,
 * it does not restore items that were removed in the meantime.
 */
const nameOf = (merge: Merge): string => createHash('sha256').update(JSON.stringify(merge)).digest('hex');
