/**
 * Authentication: identifies the caller. The Access-Token header contains a session token, or a grant that a site's server signed
 * (`site-grants.ts`). Every API route except sign-in responds with 401 to an invalid token, also where anonymous access is
 * allowed, so that the app discards the token and signs in again.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '../../contract/api.ts';
import type { Config } from '../config.ts';
import type { Audience } from '../domain/model.ts';
import { Refusal } from '../http/errors.ts';
import { ANONYMOUS, markOwn, type Who } from '../http/request.ts';
import type { Store } from '../storage/ports/store.ts';
import { readerOfToken } from './sessions.ts';
import { isGrant, readGrant, type SiteGrantDeps } from './site-grants.ts';

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

/** Identifies the caller by the Access-Token header. */
export async function whoAsks(request: FastifyRequest, deps: IdentityDeps): Promise<Who> {
  const token = request.headers['access-token'];
  if (typeof token !== 'string' || token === '') return ANONYMOUS;
  if (isGrant(token)) return { type: 'site', privateChannels: await readGrant(token, request, deps) };
  const id = await readerOfToken(deps.store, token, deps.now());
  const reader = id === null ? null : await deps.store.reader(id);
  if (reader === null) throw new Refusal(401, 'The session is over: sign in again.');
  return {
    type: 'reader',
    reader: { ...reader, operator: deps.config.operatorIds.has(reader.id) },
    token,
    privateChannels: async () => deps.bot?.members.privateChannels(reader.id) ?? [],
  };
}

/** Returns the signed-in reader, or throws 401. A response that needs a reader is private to the reader and is never stored. */
export function requireReader(request: FastifyRequest, reply: FastifyReply): Reader {
  if (request.who.type !== 'reader') throw new Refusal(401, 'Sign in first: this belongs to a reader.');
  markOwn(reply);
  return request.who.reader;
}

/** Returns the operator, or throws 401 or 403. */
export function requireOperator(request: FastifyRequest, reply: FastifyReply): Reader {
  const reader = requireReader(request, reply);
  if (!reader.operator) throw new Refusal(403, 'Only an operator of this site may do this.');
  return reader;
}

/** Computes the caller's read permissions: private channels are for their members and for the site's operators. */
export async function audienceOf(request: FastifyRequest): Promise<Audience> {
  request.audience = { privateChannels: await privateChannelsOf(request.who) };
  return request.audience;
}

async function privateChannelsOf(who: Who): Promise<Audience['privateChannels']> {
  if (who.type === 'anonymous') return [];
  if (who.type === 'site') return who.privateChannels;
  return who.reader.operator ? 'all' : who.privateChannels();
}
