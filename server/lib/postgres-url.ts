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

/** Parts of the URL. It contains the password, so it must not be logged. */
export interface PostgresAddress {
  /** Empty if the URL does not contain it, as `password` and `database`. */
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Host names and addresses, or the directory of one Unix socket. IPv6 addresses have no brackets. */
  readonly hosts: readonly string[];
  /** Ports in the order of the hosts, a port for each. */
  readonly ports: readonly number[];
  /** Parameters after the question mark, without `host`. */
  readonly settings: Readonly<Record<string, string>>;
}

const DEFAULT_PORT = 5432;

/**
 * Parses the URL of a database; null if it is invalid. It accepts two forms that the driver alone does not: several
 * hosts (`postgres://name@first,second:6000/database`), and the directory of a socket next to a port, as PostgreSQL's own
 * programs accept it (`postgres://name@:6000/database?host=/run/postgresql`).
 */
export const parsePostgresUrl = (address: string): PostgresAddress | null => {
  const [, prefix, hostList, path = '', query = ''] = POSTGRES_URL_PATTERN.exec(address) ?? [];
  if (prefix === undefined || hostList === undefined || !isDecodable(prefix + hostList + path)) return null;
  const hosts = hostList
    .replace(/^(?=:|$)/, 'localhost')
    .split(',')
    .map((host) => `postgres://${host}`);
  if (![`${prefix}localhost`, ...hosts].every((url) => URL.canParse(url))) return null;
  const urls = hosts.map((host) => new URL(host));
  const { username, password } = new URL(`${prefix}localhost`);
  const { host: socketDirectory, ...settings } = Object.fromEntries(new URLSearchParams(query));
  const hostNames = urls.map(({ hostname }) => decodeURIComponent(hostname).replace(/^\[|\]$/g, ''));
  const ports = urls.map(({ port }) => (port === '' ? DEFAULT_PORT : Number(port)));
  return {
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(path.slice(1)),
    hosts: socketDirectory === undefined ? hostNames : [socketDirectory],
    ports: socketDirectory === undefined ? ports : ports.slice(0, 1),
    settings,
  };
};
