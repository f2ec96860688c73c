import type { Config } from './config.ts';

/** Half a year and more, as lists of careful sites ask for, s. */
const HTTPS_FOR = 31_536_000;

/** The policy of what is no page: should a browser show it as one, nothing in it loads, runs or is framed. */
export const CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What every answer says to browsers unless its route says better. Only who is reached by https may promise to stay so, and only
 * for the one host: others of its domain are not ours.
 */
export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': CLOSED,
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${HTTPS_FOR}` }),
});
