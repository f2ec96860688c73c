/**
 * Authentication: identifies the caller. The Access-Token header contains a session token, or a grant that a site's
 * server signed (`site-grants.ts`). Every API route except sign-in responds with 401 to an invalid token, also where
 * anonymous access is allowed, so that the app discards the token and signs in again.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '../../contract/api.ts';
import type { Config } from '../config.ts';
import type { AccessScope } from '../domain/model.ts';
import { HttpError } from '../http/errors.ts';
import { ANONYMOUS, markPrivate, type Principal } from '../http/request.ts';
import type { Store } from '../storage/ports/store.ts';
import { findReaderByToken } from './sessions.ts';
import { isSiteGrant, type SiteGrantDeps, verifySiteGrant } from './site-grants.ts';

/** Port: ids of the private channels that a reader is a member of. */
export interface ChannelMembers {
  privateChannels(readerId: string): Promise<readonly string[]>;
}

/** Services that this module uses. */
export type IdentityDeps = SiteGrantDeps & {
  readonly config: Config;
  readonly store: Store;
  readonly bot: { readonly members: ChannelMembers } | null;
  readonly now: () => number;
};

/**
 * Identifies the caller by the Access-Token header. Without a token, the caller is anonymous. Throws 401 for an invalid
 * token.
 */
export async function authenticate(request: FastifyRequest, deps: IdentityDeps): Promise<Principal> {
  const token = request.headers['access-token'];
  if (typeof token !== 'string' || token === '') return ANONYMOUS;
  if (isSiteGrant(token)) return { type: 'site', privateChannels: await verifySiteGrant(token, request, deps) };
  const id = await findReaderByToken(deps.store, token, deps.now());
  const reader = id === null ? null : await deps.store.reader(id);
  if (reader === null) throw new HttpError(401, 'The session has ended: sign in again.');
  return {
    type: 'reader',
    reader: { ...reader, operator: deps.config.operatorIds.has(reader.id) },
    token,
    privateChannels: async () => deps.bot?.members.privateChannels(reader.id) ?? [],
  };
}

/**
 * Returns the signed-in reader, or throws 401. A response that needs a reader is private to the reader and is never
 * stored.
 */
export function requireReader(request: FastifyRequest, reply: FastifyReply): Reader {
  if (request.principal.type !== 'reader') throw new HttpError(401, 'Sign in first: this request is only for signed-in readers.');
  markPrivate(reply);
  return request.principal.reader;
}

/** Returns the operator, or throws 401 or 403. */
export function requireOperator(request: FastifyRequest, reply: FastifyReply): Reader {
  const reader = requireReader(request, reply);
  if (!reader.operator) throw new HttpError(403, 'Only an operator of this site may do this.');
  return reader;
}

/** Computes the caller's read permissions: private channels are for their members and for the site's operators. */
export async function accessScopeOf(request: FastifyRequest): Promise<AccessScope> {
  request.accessScope = { privateChannels: await privateChannelsOf(request.principal) };
  return request.accessScope;
}

async function privateChannelsOf(principal: Principal): Promise<AccessScope['privateChannels']> {
  if (principal.type === 'anonymous') return [];
  if (principal.type === 'site') return principal.privateChannels;
  return principal.reader.operator ? 'all' : principal.privateChannels();
}
