import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { FetchRefused } from './errors.ts';

/** Decides where a fetch may connect to; only a test, whose servers are on loopback, has rules of its own. */
export interface FetchRules {
  /** Every IP address of a host name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly isPublic: (address: string) => boolean;
  readonly isPort: (port: number) => boolean;
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const USUAL: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

const portOf = (url: URL): number => (url.port === '' ? (USUAL[url.protocol] ?? 0) : Number(url.port));

/**
 * Reads an address given by a stranger. The URL standard turns every spelling of an IPv4 address (decimal, octal, hex, short,
 * full-width) into the plain one, so that what is checked is what is connected to.
 */
export function readAddress(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new FetchRefused('address', `This is no address: ${text.slice(0, 200)}`);
  const url = new URL(text, base?.href);
  // A name's closing dot names the same host, and certificates never have it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  url.hash = '';
  return url;
}

/** Refuses an address that is no plain http or https one on a usual port. */
export function checkForm(url: URL, rules: FetchRules): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FetchRefused('scheme', `Only http and https addresses are fetched, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('userinfo', 'An address with a name or password in it is not fetched.');
  if (!rules.isPort(portOf(url))) throw new FetchRefused('port', `Only the ports 80 and 443 are fetched from, not ${url.port}.`);
}

const lookUp = async (host: string, rules: FetchRules): Promise<readonly string[]> => {
  try {
    return await rules.resolve(host);
  } catch (error) {
    throw new FetchRefused('unknown-host', `The name ${host} is not known.`, { cause: error });
  }
};

/** Finds the addresses of a host, all of them public: one private address among them refuses the name. */
export async function publicAddresses(url: URL, rules: FetchRules): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await lookUp(host, rules);
  if (addresses.length === 0) throw new FetchRefused('unknown-host', `The name ${host} has no address.`);
  if (!addresses.every(rules.isPublic))
    throw new FetchRefused('private', `The host ${host} is not on the public internet, and nothing is fetched from there.`);
  return addresses;
}

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
