import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddresses from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';

/** Networks that nobody reaches from outside: what comes from there may be a proxy of ours. */
const NEAR = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);

/** Returns whether an address is one of a proxy of ours, whose word on who asks is taken (TRUST_PROXY). */
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
 * Returns the address that a request came from. X-Forwarded-For is read from its end: each proxy of ours appends the address that
 * it saw, so the first address from the end that is no proxy's is the client's. What stands before it may be forged. An entry
 * that is no address, such as `unknown`, leaves the nearest proxy's address. An IPv6 network counts as one client: whoever has
 * one has more addresses than anybody could count.
 */
export function clientOf(request: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>): string {
  // A connection that has closed has no address any more.
  if (request.socket.remoteAddress === undefined) return '';
  const chain = proxyAddresses.all(request, (address) => isProxy(withoutPort(address), trustProxy)).map(withoutPort);
  const client = chain.findLast((address) => ipaddr.isValid(address)) ?? '';
  return client === '' ? '' : normalizeIP(ipaddr.process(client).toString());
}

/** Some proxies append the port: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return /^\[(?<v6>[^\]]+)\](:\d+)?$/.exec(address)?.groups?.v6 ?? /^(?<v4>[\d.]+):\d+$/.exec(address)?.groups?.v4 ?? address;
}

/**
 * Names a request, so that what a reader was told is found in the log: as our proxy did, where its name is safe to write. One that
 * cannot be read has no headers.
 */
export function requestId(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): string {
  const given = headers['x-request-id'];
  const isSafe = typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given);
  return isSafe && isProxy(socket.remoteAddress ?? '', trustProxy) ? given : randomUUID();
}
