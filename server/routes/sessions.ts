import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SessionPage } from '../../contract/api.ts';
import { requireReader } from '../auth/identity.ts';
import { endSessions, hashOf, sessionsOf } from '../auth/sessions.ts';
import type { Live } from '../events/event-hub.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { answers, silence } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type SessionRouteDeps = {
  readonly store: Store;
  readonly live: Pick<Live, 'endReader'>;
  readonly now: () => number;
};

/** Where a reader is signed in, and ending it there. */
export function sessionRoutes(app: App, deps: SessionRouteDeps): void {
  const tags = ['reader'];

  app.get(
    '/api/me/sessions',
    { schema: { summary: 'Where the reader is signed in', tags, response: answers(SessionPage) } },
    async (request, reply) => {
      const { id, token } = requireSession(request, reply);
      return { items: await sessionsOf(deps.store, id, token, deps.now()) };
    },
  );

  app.delete(
    '/api/me/sessions',
    { schema: { summary: 'Sign out everywhere but here', tags, response: silence } },
    async (request, reply) => {
      const { id, token } = requireSession(request, reply);
      const own = hashOf(token);
      await endSessions(deps.store, id, deps.now(), ({ tokenHash }) => tokenHash !== own);
      // Streams ask again who listens; that of this session comes back.
      deps.live.endReader(id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/me/sessions/:id',
    {
      schema: {
        summary: 'Sign out there',
        tags,
        params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: silence,
      },
    },
    async (request, reply) => {
      const { id } = requireSession(request, reply);
      const ended = await endSessions(deps.store, id, deps.now(), (session) => session.id === request.params.id);
      if (ended === 0) throw notFound('This session');
      deps.live.endReader(id);
      return reply.code(204).send(null);
    },
  );
}

/** The signed-in reader and the token, or 401. */
function requireSession(request: FastifyRequest, reply: FastifyReply): { id: string; token: string } {
  const { id } = requireReader(request, reply);
  return { id, token: request.who.type === 'reader' ? request.who.token : '' };
}
