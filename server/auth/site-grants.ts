/**
 * Site grants: access to private channels on a third-party site. The site's server signs a JWT (HS256, with the secret
 * of a key that was created here) which allows a visitor of its page to read the channels until it expires. A tag on
 * the page sends it in Access-Token. Signature and times are checked before the key is looked up, so that responses do
 * not reveal which keys exist. A revoked key is deleted from the store.
 */

import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { errors, jwtVerify } from 'jose';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { HttpError } from '../http/errors.ts';
import type { Store, StoredSiteKey } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type SiteGrantDeps = {
  readonly store: Pick<Store, 'channel' | 'siteKey'>;
  readonly siteKeySecrets: SiteKeySecrets;
  readonly now: () => number;
};

/** Maximum lifetime of a grant, s. */
const MAX_GRANT_SECONDS = 86_400;
/** Maximum time by which a site's clock may be ahead, s. */
const MAX_CLOCK_SKEW_SECONDS = 60;

const GrantClaims = Type.Object({
  iat: Type.Integer(),
  exp: Type.Integer(),
  channels: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 200 })),
});

interface VerifiedGrant {
  readonly keyId: string;
  readonly channels: Static<typeof GrantClaims>['channels'];
}

type GrantRequest = Pick<FastifyRequest, 'method' | 'headers'>;

/** Returns whether a token is a grant: a session's token contains no dots. */
export const isSiteGrant = (token: string): boolean => token.includes('.');

/** Validates a grant and returns the ids of the private channels that it allows. Throws an `HttpError`. */
export async function verifySiteGrant(grant: string, request: GrantRequest, deps: SiteGrantDeps): Promise<readonly string[]> {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpError(403, 'A grant of a site allows only reading.');
  const { keyId, channels } = await verifyGrantToken(grant, deps);
  const key = await deps.store.siteKey(keyId);
  if (key === null) throw new HttpError(401, 'The key of this grant was revoked: the site needs a new one.');
  const { origin } = request.headers;
  if (origin !== undefined && origin !== key.origin)
    throw new HttpError(403, `The key of this grant is for ${key.origin}, not for ${origin.slice(0, 200)}.`);
  return channels === undefined ? key.channels : Promise.all(channels.map((name) => resolveGrantedChannel(name, key, deps)));
}

async function verifyGrantToken(grant: string, { siteKeySecrets, now }: SiteGrantDeps): Promise<VerifiedGrant> {
  const options = { algorithms: ['HS256'], currentDate: new Date(now()), requiredClaims: ['exp', 'iat'] };
  const secretOf = (header: { readonly kid?: unknown }) => Buffer.from(siteKeySecrets.secretOf(keyIdOf(header)));
  const { payload, protectedHeader } = await jwtVerify(grant, secretOf, options).catch(throwInvalidGrant);
  if (!Value.Check(GrantClaims, payload))
    throw new HttpError(401, 'A grant must contain exp and iat as whole seconds, and may contain channels as a list of names.');
  if (payload.iat > now() / 1000 + MAX_CLOCK_SKEW_SECONDS)
    throw new HttpError(401, "The grant is from the future: check the clock of the site's server.");
  if (payload.exp - payload.iat > MAX_GRANT_SECONDS)
    throw new HttpError(401, 'A grant is valid for at most 24 hours: exp is too long after iat.');
  return { keyId: keyIdOf(protectedHeader), channels: payload.channels };
}

/** jose's types declare `kid` as a string, but it passes on any JSON value. No key has an empty id. */
const keyIdOf = ({ kid }: { readonly kid?: unknown }): string => (typeof kid === 'string' ? kid : '');

function throwInvalidGrant(error: unknown): never {
  if (error instanceof errors.JWTExpired)
    throw new HttpError(401, 'The grant has expired: the site must give the tag a new one.');
  if (error instanceof errors.JWTClaimValidationFailed)
    throw new HttpError(401, 'A grant must contain exp and iat as whole seconds.');
  if (error instanceof errors.JOSEError)
    throw new HttpError(
      401,
      'This is not a valid grant. A grant is a JWT (HS256) whose kid is the id of a key of this server, signed with the secret of that key.',
    );
  throw error;
}

async function resolveGrantedChannel(name: string, key: StoredSiteKey, { store }: SiteGrantDeps): Promise<string> {
  const channel = await store.channel(name.replace(/^@/, ''), { privateChannels: key.channels });
  if (channel !== null && key.channels.includes(channel.id)) return channel.id;
  throw new HttpError(403, `The key of this grant does not allow ${name}.`);
}

/** Derives the secret of each site key from the key's id and a secret of the server. The secrets are not stored. */
export interface SiteKeySecrets {
  secretOf(id: string): string;
}

/**
 * Creates the key derivation from the server's secret. The server's secret is stored, so that sites' keys remain valid
 * after a restart.
 */
export async function openSiteKeySecrets(store: Store): Promise<SiteKeySecrets> {
  return createSiteKeySecrets(await store.getOrCreateSetting('site-keys-secret', randomBytes(32).toString('base64url')));
}

/** Creates the key derivation from a secret. */
export const createSiteKeySecrets = (secret: string): SiteKeySecrets => ({
  secretOf: (id) => createHmac('sha256', secret).update(`site key\n${id}`).digest('base64url'),
});

/** Creates a key's id, long enough to be unique. */
export const createSiteKeyId = (): string => randomBytes(12).toString('base64url');
