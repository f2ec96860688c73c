import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
type IPv6 = Extract<Address, { parts: number[] }>;

/** Azure answers a machine's own secrets here, from an address that is otherwise as public as any. */
const CLOUD_SECRETS = '168.63.129.16';

/** All that has been given out for the public internet so far; what ipaddr calls unicast outside of it is old or unassigned. */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3');

/** The prefix under which every IPv6-only network reaches IPv4 hosts (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** ISATAP carries an IPv4 address in any network's lower half (RFC 5214). */
const isIsatap = ({ parts }: IPv6) => ((parts[4] ?? 0) & ~0x200) === 0 && parts[5] === 0x5efe;

const lastFour = (address: IPv6): string => new ipaddr.IPv4(address.toByteArray().slice(12)).toString();

const isPublicV6 = (address: IPv6): boolean => {
  if (address.isIPv4MappedAddress() || address.match(NAT64)) return isPublicAddress(lastFour(address));
  return address.range() === 'unicast' && address.match(GIVEN_OUT) && !isIsatap(address);
};

const isV6 = (address: Address): address is IPv6 => address.kind() === 'ipv6';

/**
 * Tells whether an IP address belongs to the public internet: a unicast address that is not private, loopback, link-local,
 * shared, reserved or a cloud's own. One that carries an IPv4 address, mapped or through NAT64, is judged by that; the old
 * tunnels (6to4, Teredo, ISATAP) are never public. What is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (isV6(address)) return isPublicV6(address);
  return address.range() === 'unicast' && text !== CLOUD_SECRETS;
}
