/** Security headers: content security policy, HSTS and others. */
import type { Config } from '../config.ts';

/** HSTS max-age, s: more than half a year, as preload lists require. */
const HSTS_MAX_AGE_SECONDS = 31_536_000;

/**
 * Content security policy of responses that are not pages: if a browser renders one as a page, nothing in it loads,
 * runs or is framed.
 */
export const DENY_ALL_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns the origin of published media files, which pages load from there; null if they load them from this server. */
export const mediaOriginOf = ({ s3 }: Pick<Config, 's3'>): string | null =>
  s3 === null || s3.publicUrl === null ? null : new URL(s3.publicUrl).origin;

/**
 * Returns the default security headers of every response; a route may override them. Only a server that is reached by
 * https sends HSTS, and only for its own host: other hosts of the domain are not ours.
 */
export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': DENY_ALL_CSP,
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${HSTS_MAX_AGE_SECONDS}` }),
});
