import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { HttpError } from './errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a request has the cookie of a signed-in reader. Reads the header, because early errors have no cookies. */
export const hasXsrfCookie = ({ headers }: FastifyRequest): boolean => /(?:^|;\s*)XSRF-TOKEN=/.test(headers.cookie ?? '');

/**
 * CSRF protection: rejects a write whose X-XSRF-TOKEN header differs from the XSRF-TOKEN cookie. Requests without the
 * cookie pass, because a webview may drop it.
 */
export function checkXsrf(request: FastifyRequest): void {
  const cookie = request.cookies['XSRF-TOKEN'];
  if (SAFE_METHODS.has(request.method) || cookie === undefined) return;
  if (request.headers['x-xsrf-token'] !== cookie) {
    throw new HttpError(403, 'The X-XSRF-TOKEN header differs from the XSRF-TOKEN cookie: reload the page and try again.');
  }
}

/**
 * Sets the XSRF-TOKEN cookie if the request had none. The page reads it and repeats it in the header. Inside Telegram's
 * web client the app is a third-party frame, where browsers store only partitioned cookies.
 */
export function setXsrfCookie(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  if (request.cookies['XSRF-TOKEN'] !== undefined) return;
  const isHttps = config.publicUrl?.startsWith('https:') ?? false;
  reply.setCookie('XSRF-TOKEN', randomBytes(16).toString('base64url'), {
    path: '/',
    ...(isHttps ? { sameSite: 'none', secure: true, partitioned: true } : { sameSite: 'lax' }),
  });
}
