/** PostgreSQL URL: parses the setting DATABASE_URL. */

/** The expected format, as the end of a sentence about it. */
export const POSTGRES_URL_EXAMPLE =
  'postgres://name:password@host:5432/database, with % # / ? in the password as %25 %23 %2F %3F';

const POSTGRES_URL_PATTERN = /^(postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?)([^@/?#\s]*)(\/[^@?#\s]*)?(\?[^@#\s]*)?$/;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** Parts of the URL in the form that the driver accepts. */
export interface PostgresAddress {
  /** URL without hosts and ports. */
  readonly url: string;
  /** Host names and addresses, or the directory of one Unix socket. IPv6 addresses have no brackets. */
  readonly hosts: readonly string[];
  /** Ports in the order of the hosts, a port for each. */
  readonly ports: readonly number[];
}

const DEFAULT_PORT = 5432;

/**
 * Parses the URL of a database; null if it is invalid. It accepts two forms that the driver alone does not. The first
 * is the directory of a socket, as PostgreSQL's own programs accept it
 * (`postgres://name@/database?host=/run/postgresql`): the driver would send it to the server as a setting. The second
 * is an IPv6 address (`postgres://name@[::1]/database`): the driver would cut it at the first colon.
 */
export const parsePostgresUrl = (address: string): PostgresAddress | null => {
  const [, prefix, hostList, path = '', query = ''] = POSTGRES_URL_PATTERN.exec(address) ?? [];
  if (prefix === undefined || hostList === undefined || !isDecodable(prefix + hostList)) return null;
  const hosts = hostList
    .replace(/^(?=:|$)/, 'localhost')
    .split(',')
    .map((host) => `postgres://${host}`);
  if (!hosts.every((host) => URL.canParse(host))) return null;
  const urls = hosts.map((host) => new URL(host));
  const settings = new URLSearchParams(query);
  const socketDirectory = settings.get('host');
  settings.delete('host');
  const hostNames = urls.map(({ hostname }) => decodeURIComponent(hostname).replace(/^\[|\]$/g, ''));
  const ports = urls.map(({ port }) => (port === '' ? DEFAULT_PORT : Number(port)));
  return {
    url: `${prefix}localhost${path}?${settings}`,
    hosts: socketDirectory === null ? hostNames : [socketDirectory],
    ports: socketDirectory === null ? ports : ports.slice(0, 1),
  };
};
