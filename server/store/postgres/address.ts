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
  readonly url: string;
  /** A host, or the folder of a socket, that stands above the one of `url`. */
  readonly host: string | null;
}

/**
 * Reads the address of a database, also one with the folder of a socket as PostgreSQL's own programs take it
 * (`postgres://name@/database?host=/run/postgresql`), which the driver would send to the server as a setting. Null for one that is none.
 */
export const readAddress = (address: string): Address | null => {
  const [, name, given, path = '', query = ''] = PARTS.exec(address) ?? [];
  if (name === undefined || given === undefined || !isDecodable(name + given)) return null;
  const hosts = given.replace(/^(?=:|$)/, 'localhost');
  if (!hosts.split(',').every((host) => URL.canParse(`postgres://${host}`))) return null;
  const settings = new URLSearchParams(query);
  const host = settings.get('host');
  settings.delete('host');
  return { url: `${name}${hosts}${path}?${settings}`, host };
};
