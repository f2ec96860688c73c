import { isIP } from 'node:net';
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
