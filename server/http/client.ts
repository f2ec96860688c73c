/** Client identification: the client's address behind trusted proxies (X-Forwarded-For), and the request id. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddresses from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import { withoutPort } from '../lib/trusted-proxies.ts';

/**
 * Returns the address of a request's client. X-Forwarded-For is read from its end: each trusted proxy appends the
 * address that it saw, so the first address from the end that is not a proxy's is the client's. Earlier entries may be
 * forged. If an entry is not an address, such as `unknown`, the nearest proxy's address is used. An IPv6 network counts
 * as one client, because its owner has more addresses than can be counted.
 */
export function clientAddress(request: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>): string {
  // A closed connection has no address.
  if (request.socket.remoteAddress === undefined) return '';
  const chain = proxyAddresses.all(request, trustProxy).map(withoutPort);
  const client = chain.findLast((address) => isIP(address) !== 0) ?? '';
  return client === '' ? '' : normalizeIP(ipaddr.process(client).toString());
}

/**
 * Returns the request id, which connects an error that a reader saw with its log line. Uses the trusted proxy's id if
 * it is safe to log, else a random one. An unparsable request has no headers.
 */
export function requestId(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): string {
  const receivedId = headers['x-request-id'];
  const isSafe = typeof receivedId === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(receivedId);
  return isSafe && trustProxy(socket.remoteAddress ?? '') ? receivedId : randomUUID();
}
