import { createHmac } from 'node:crypto';
import type { CreatedSiteKey } from '../../../contract/operator.ts';

interface Grant {
  /** Unix seconds. */
  readonly now: number;
  /** Seconds; null for a token that does not expire. */
  readonly life?: number | null;
  readonly channels?: readonly unknown[];
  readonly alg?: 'HS256' | 'HS512' | 'none';
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs an access token (JWT) as the server of a site does. The options also allow invalid tokens. */
export function signGrant(
  { id, secret }: Pick<CreatedSiteKey, 'id' | 'secret'>,
  { now, life = 3600, channels, alg = 'HS256' }: Grant,
): string {
  const claims = { iat: now, ...(life !== null && { exp: now + life }), ...(channels && { channels }) };
  const signed = `${part({ alg, typ: 'JWT', kid: id })}.${part(claims)}`;
  if (alg === 'none') return `${signed}.`;
  return `${signed}.${createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
    .update(signed)
    .digest('base64url')}`;
}
