/** Device token: the random token with which a device with Web Push identifies itself. The store has only its hash. */
import type { FastifyRequest } from 'fastify';
import { DEVICE_TOKEN_HEADER, DEVICE_TOKEN_PATTERN } from '../../contract/notifications.ts';
import { hashToken } from './sessions.ts';

const PATTERN = new RegExp(DEVICE_TOKEN_PATTERN);

/** Returns the hash of the device token of a request; null without a valid one. */
export function deviceTokenHash({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const token = headers[DEVICE_TOKEN_HEADER];
  return typeof token === 'string' && PATTERN.test(token) ? hashToken(token) : null;
}
