/** Trusted proxies: parses TRUST_PROXY. Entries of these proxies in X-Forwarded-For are skipped from the right. */
import { isIP } from 'node:net';
import proxyAddresses from '@fastify/proxy-addr';

/**
 * Returns whether an address belongs to a trusted proxy. The address may have a port, which some proxies append.
 * Fastify takes it as its option `trustProxy`.
 */
export type TrustedProxies = (address: string) => boolean;

/** Names of ranges that `proxy-addr` knows. Together they are every address that the internet cannot reach. */
const RANGE_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** `proxy-addr` accepts no prefix of zero bits. */
const HALVES_BY_WHOLE_NETWORK: ReadonlyMap<string, readonly string[]> = new Map([
  ['0.0.0.0/0', ['0.0.0.0/1', '128.0.0.0/1']],
  ['::/0', ['::/1', '8000::/1']],
]);

/** Removes the port, as in `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
export function withoutPort(address: string): string {
  return /^\[(?<v6>[^\]]+)\](:\d+)?$/.exec(address)?.groups?.v6 ?? /^(?<v4>[\d.]+):\d+$/.exec(address)?.groups?.v4 ?? address;
}

/**
 * Parses a setting: `none`, or a list of addresses, networks and range names; `private` is all of the names. Returns
 * null if an item is none of these. A number of hops is invalid: a client that connects directly could forge as many
 * entries.
 */
export function parseTrustedProxies(setting: string): TrustedProxies | null {
  if (setting === 'none') return () => false;
  const items = setting.split(/[\s,]+/).filter((item) => item !== '');
  const ranges = items.flatMap((item) => (item === 'private' ? RANGE_NAMES : item));
  if (ranges.length === 0 || !ranges.every(isRange)) return null;
  const matches = proxyAddresses.compile(ranges.flatMap((range) => HALVES_BY_WHOLE_NETWORK.get(range) ?? range));
  return (address) => {
    const plain = withoutPort(address);
    return isIP(plain) !== 0 && matches(plain, 0);
  };
}

/** Returns whether an item is a range name, an address, or a network such as 10.0.0.0/8 or 2001:db8::/32. */
function isRange(item: string): boolean {
  if (RANGE_NAMES.includes(item) || HALVES_BY_WHOLE_NETWORK.has(item)) return true;
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  const maxPrefix = version === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= maxPrefix);
  return version !== 0 && isPrefix && rest.length === 0;
}
