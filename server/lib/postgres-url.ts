/** What an address should be, as the end of a sentence that says so. */
export const ADDRESS = 'postgres://name:password@host:5432/database, with % # / ? in the password as %25 %23 %2F %3F';

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?)([^@/?#\s]*)(\/[^@?#\s]*)?(\?[^@#\s]*)?$/;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** An address as the driver takes it. */
export interface Address {
  /** Everything but hosts and ports. */
  readonly url: string;
  /** Host names and addresses, or the directory of one socket. IPv6 addresses are without brackets. */
  readonly hosts: readonly string[];
  /** A port for each host. */
  readonly ports: readonly number[];
}

const DEFAULT_PORT = 5432;

/**
 * Reads the address of a database, also one with the directory of a socket as PostgreSQL's own programs take it
 * (`postgres://name@/database?host=/run/postgresql`), which the driver would send to the server as a setting, and one with IPv6
 * addresses (`postgres://name@[::1]/database`), which the driver would cut at the first colon. Null for one that is none.
 */
export const readAddress = (address: string): Address | null => {
  const [, name, given, path = '', query = ''] = PARTS.exec(address) ?? [];
  if (name === undefined || given === undefined || !isDecodable(name + given)) return null;
  const hosts = given
    .replace(/^(?=:|$)/, 'localhost')
    .split(',')
    .map((host) => `postgres://${host}`);
  if (!hosts.every((host) => URL.canParse(host))) return null;
  const read = hosts.map((host) => new URL(host));
  const settings = new URLSearchParams(query);
  const socket = settings.get('host');
  settings.delete('host');
  const ports = read.map(({ port }) => (port === '' ? DEFAULT_PORT : Number(port)));
  return {
    url: `${name}localhost${path}?${settings}`,
    hosts: socket === null ? read.map(({ hostname }) => decodeURIComponent(hostname).replace(/^\[|\]$/g, '')) : [socket],
    ports: socket === null ? ports : ports.slice(0, 1),
  };
};
