import type { IncomingMessage } from 'node:http';
import { normalizeIP } from '@fastify/rate-limit';
import ipaddr from 'ipaddr.js';
import type { Config } from './config.ts';

/** Networks that nobody reaches from outside: what comes from there may be a proxy of ours. */
const NEAR = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);

/** Whether a connection is of a proxy of ours, whose word on who asks is taken (TRUST_PROXY). */
export function isProxy(address: string, trusted: Config['trustProxy']): boolean {
  if (!ipaddr.isValid(address)) return false;
  const peer = ipaddr.process(address);
  if (trusted === 'private') return NEAR.has(peer.range());
  return trusted.some((network) => {
    const [at, bits] = ipaddr.parseCIDR(network);
    return at.kind() === peer.kind() && peer.match(at, bits);
  });
}

/**
 * The address that a request came from: of what a proxy of ours names the last, since only that one it saw itself. An IPv6
 * network counts as one: whoever has one has more addresses than anybody could count.
 */
export function clientOf({ socket, headers }: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>): string {
  const peer = socket.remoteAddress ?? '';
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  const client = named !== undefined && ipaddr.isValid(named) && isProxy(peer, trustProxy) ? named : peer;
  return ipaddr.isValid(client) ? normalizeIP(ipaddr.process(client).toString()) : client;
}
