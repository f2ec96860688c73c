/** SSRF protection: decides which URLs and IP addresses a fetch may connect to. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { FetchError } from './errors.ts';

/**
 * Rules for the targets of a fetch. Only tests use other rules than the default, because their servers are on loopback.
 */
export interface FetchRules {
  /** Returns all IP addresses of a host name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly isPublic: (address: string) => boolean;
  readonly isAllowedPort: (port: number) => boolean;
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

const portOf = (url: URL): number => (url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port));

/**
 * Parses an untrusted address. The URL standard normalizes every notation of an IPv4 address (decimal, octal, hex,
 * short, full-width), so that the checked address is the one that is connected to.
 */
export function parseUntrustedUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new FetchError('address', `This is not a valid address: ${text.slice(0, 200)}`);
  const url = new URL(text, base?.href);
  // A name with a trailing dot is the same host, and certificates never contain the dot.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  url.hash = '';
  return url;
}

/** Throws unless the URL is a plain http or https URL on a default port. */
export function assertAllowedUrl(url: URL, rules: FetchRules): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FetchError('scheme', `Only http and https addresses are allowed, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new FetchError('userinfo', 'An address must not contain a username or a password.');
  if (!rules.isAllowedPort(portOf(url))) throw new FetchError('port', `Only the ports 80 and 443 are allowed, not ${url.port}.`);
}

const resolveHost = async (host: string, rules: FetchRules): Promise<readonly string[]> => {
  try {
    return await rules.resolve(host);
  } catch (error) {
    throw new FetchError('unknown-host', `The host name ${host} could not be resolved.`, { cause: error });
  }
};

/**
 * Resolves the addresses of a host. All of them must be public: one private address among them is enough to reject the
 * name.
 */
export async function resolvePublicAddresses(url: URL, rules: FetchRules): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolveHost(host, rules);
  if (addresses.length === 0) throw new FetchError('unknown-host', `The host name ${host} has no IP address.`);
  if (!addresses.every(rules.isPublic))
    throw new FetchError('private', `The host ${host} is not on the public internet, so the server does not connect to it.`);
  return addresses;
}

type Address = ReturnType<typeof ipaddr.parse>;
type IPv6 = Extract<Address, { parts: number[] }>;

/**
 * Azure's metadata service: returns secrets of the machine on which this server runs, at an address in a public range.
 */
const AZURE_METADATA_ADDRESS = '168.63.129.16';

/**
 * All IPv6 addresses assigned to the public internet so far. Addresses outside of it that ipaddr calls unicast are
 * deprecated or unassigned.
 */
const ALLOCATED_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The prefix under which every IPv6-only network reaches IPv4 hosts (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** ISATAP embeds an IPv4 address in the lower half of any network's address (RFC 5214). */
const isIsatap = ({ parts }: IPv6) => ((parts[4] ?? 0) & ~0x200) === 0 && parts[5] === 0x5efe;

const embeddedIpv4 = (address: IPv6): string => new ipaddr.IPv4(address.toByteArray().slice(12)).toString();

const isPublicV6 = (address: IPv6): boolean => {
  if (address.isIPv4MappedAddress() || address.match(NAT64)) return isPublicAddress(embeddedIpv4(address));
  return address.range() === 'unicast' && address.match(ALLOCATED_UNICAST) && !isIsatap(address);
};

const isV6 = (address: Address): address is IPv6 => address.kind() === 'ipv6';

/**
 * Returns whether an IP address belongs to the public internet: a unicast address that is not private, loopback,
 * link-local, shared, reserved or a cloud provider's metadata address. For an address that contains an IPv4 address,
 * mapped or through NAT64, that IPv4 address is checked. Addresses of old tunnels (6to4, Teredo, ISATAP) are never
 * public. Text that is not an IP address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (isV6(address)) return isPublicV6(address);
  return address.range() === 'unicast' && text !== AZURE_METADATA_ADDRESS;
}
