/** Sign-in and sessions: routes to sign in with launch data, sign out, and list or end sessions. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SessionPage, SignIn } from '../../contract/api.ts';
import type { UnverifiedUser } from '../../contract/launch-data.ts';
import type { Config } from '../config.ts';
import { setXsrfCookie } from '../http/csrf.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { type App, markPrivate } from '../http/request.ts';
import { noContent, responses } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { deviceTokenHash } from './device-token.ts';
import { requireReader } from './identity.ts';
import { checkLaunchData } from './launch-data.ts';
import { endMatchingSessions, endSession, hashToken, listSessions, startSession } from './sessions.ts';

/** Port: ends the event streams of a reader whose sessions have ended. */
interface ReaderStreams {
  disconnectReader(readerId: string): void;
}

/** Services that this module uses. */
export type AuthDeps = {
  readonly config: Config;
  readonly store: Store;
  readonly eventHub: ReaderStreams;
  readonly now: () => number;
};

const LaunchDataBody = Type.Object({ initData: Type.String() });

/** Routes to sign in with Telegram's launch data and to sign out. */
export function authRoutes(app: App, deps: AuthDeps, limits: RateLimits): void {
  app.post(
    '/api/telegram/auth/webapp',
    {
      config: { signsIn: true, writableBy: 'anyone' },
      schema: { summary: 'Sign in with launch data', tags: ['reader'], body: LaunchDataBody, response: responses(SignIn) },
    },
    async (request, reply) => {
      markPrivate(reply);
      setXsrfCookie(request, reply, deps.config);
      const user = await limits.throttleGuesses(request, reply, () => verifyLaunchUser(request.body.initData, deps));
      await limits.limitSignIns(request, reply, user.id);
      return signIn(user, deps);
    },
  );

  app.delete(
    '/api/session',
    { schema: { summary: 'Sign out', tags: ['reader'], response: noContent } },
    async (request, reply) => {
      const { id } = requireReader(request, reply);
      if (request.principal.type === 'reader') await endSession(deps.store, request.principal.token);
      await deleteDevice(request, id, deps.store);
      // Ends all streams of the reader: the clients authenticate again, and those of other sessions reconnect.
      deps.eventHub.disconnectReader(id);
      return reply.code(204).send(null);
    },
  );
}

/** Deletes the Web Push device of a browser that signs out, so that it gets no more notifications of the reader. */
async function deleteDevice(request: FastifyRequest, readerId: string, store: Store): Promise<void> {
  const tokenHash = deviceTokenHash(request);
  const device = tokenHash === null ? null : await store.notificationDevice(tokenHash);
  if (device !== null) await store.deleteNotificationDevice(readerId, device.id);
}

/**
 * Returns the user of the launch data, or throws 401. Throws 503 if no bot token is set, because launch data cannot be
 * verified.
 */
async function verifyLaunchUser(raw: string, deps: AuthDeps) {
  const { botToken } = deps.config;
  if (botToken === null)
    throw new HttpError(503, 'Sign-in is not configured here: BOT_TOKEN is missing. Public content needs no sign-in.');
  const checked = checkLaunchData(raw, botToken, deps.now());
  if (checked.type === 'rejected') throw new HttpError(401, checked.detail);
  const user = toReader(checked.user);
  const sessionsEndedAt = await deps.store.sessionsEndedAt(user.id);
  // A launch in the same second is accepted, because the order of the two is unknown. An end in the future is ignored,
  // because a clock was wrong.
  if (checked.authDate < sessionsEndedAt && sessionsEndedAt <= deps.now() / 1000)
    throw new HttpError(401, 'This launch was signed out from another device: open the app again.');
  return user;
}

async function signIn(user: ReturnType<typeof toReader>, deps: AuthDeps): Promise<SignIn> {
  const { operatorIds } = deps.config;
  await deps.store.putReader(user);
  const { token, expiresAt } = await startSession(deps.store, user.id, deps.now());
  return { 'Access-Token': token, user: { ...user, operator: operatorIds.has(user.id) }, expiresAt };
}

function toReader(user: UnverifiedUser) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username || user.id;
  return {
    id: user.id,
    name,
    ...(user.username && { username: user.username }),
    ...(user.languageCode && { language: user.languageCode }),
  };
}

/** Services that this module uses. */
export type SessionRouteDeps = {
  readonly store: Store;
  readonly eventHub: ReaderStreams;
  readonly now: () => number;
};

/** Routes to list a reader's sessions and to end them. */
export function sessionRoutes(app: App, deps: SessionRouteDeps): void {
  const tags = ['reader'];

  app.get(
    '/api/me/sessions',
    { schema: { summary: 'List the sessions of the reader', tags, response: responses(SessionPage) } },
    async (request, reply) => {
      const { id, token } = requireSession(request, reply);
      return { items: await listSessions(deps.store, id, token, deps.now()) };
    },
  );

  app.delete(
    '/api/me/sessions',
    { schema: { summary: 'End all other sessions of the reader', tags, response: noContent } },
    async (request, reply) => {
      const { id, token } = requireSession(request, reply);
      const currentTokenHash = hashToken(token);
      await endMatchingSessions(deps.store, id, deps.now(), ({ tokenHash }) => tokenHash !== currentTokenHash);
      // Ends all streams of the reader: the clients authenticate again, and that of this session reconnects.
      deps.eventHub.disconnectReader(id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/me/sessions/:id',
    {
      schema: {
        summary: 'End a session of the reader',
        tags,
        params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const { id } = requireSession(request, reply);
      const endedCount = await endMatchingSessions(deps.store, id, deps.now(), (session) => session.id === request.params.id);
      if (endedCount === 0) throw notFound('This session');
      deps.eventHub.disconnectReader(id);
      return reply.code(204).send(null);
    },
  );
}

/** Returns the signed-in reader's id and token, or throws 401. */
function requireSession(request: FastifyRequest, reply: FastifyReply): { id: string; token: string } {
  const { id } = requireReader(request, reply);
  return { id, token: request.principal.type === 'reader' ? request.principal.token : '' };
}
