// Feed server and fetcher for tests, on loopback.

import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { TestContext } from 'node:test';
import { createPublicFetch, type FetchPublic } from '../../../../server/sources/fetch/safe-fetch.ts';
import { isPublicAddress } from '../../../../server/sources/fetch/ssrf-protection.ts';

type Ending = Pick<TestContext, 'after'>;

async function listen(server: Server, t: Ending): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return port;
}

/** Starts a server on loopback that is stopped after the test. Returns its port. */
export async function serve(t: Ending, handler: RequestListener): Promise<number> {
  const server = http.createServer(handler);
  t.after(() => server.closeAllConnections());
  return listen(server, t);
}

export async function serveTls(t: Ending, handler: RequestListener): Promise<number> {
  const server = https.createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, handler);
  t.after(() => server.closeAllConnections());
  return listen(server, t);
}

/**
 * Returns a fetcher that accepts 127.0.0.1 as a public address and any port as usual, and that resolves names under .test to
 * this machine.
 */
export const testFetcher = (names: Readonly<Record<string, readonly string[]>> = {}): FetchPublic =>
  createPublicFetch({
    resolve: async (host) => {
      const known = (Object.hasOwn(names, host) ? names[host] : null) ?? (host.endsWith('.test') ? ['127.0.0.1'] : null);
      if (known === null) throw new Error(`${host} is not known to the test`);
      return known;
    },
    isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
    isAllowedPort: () => true,
  });

/** Certificate of feed.test and other.test. It was created for these tests, and nothing else trusts it. */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBbTCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlmZWVkLnRl
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWZlZWQudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJrDa5K3gVNfDHAF
T5ar6bAwz17WHgH7J8hiYvfW9s0BngsDdKbJUI125olrjYoZZPdbCNyntqyX7/wF
/w65c4OjVDBSMCAGA1UdEQQZMBeCCWZlZWQudGVzdIIKb3RoZXIudGVzdDAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBSFH0rj5xY+gLgzVJrcZi/t8O/WDTAKBggq
hkjOPQQDAgNIADBFAiAR8ohZComQwRkGYxkBZoIpPkCJjx3Pga90Q1KEqMI0AgIh
ANUg1Fb0nkk6JUiH7sbJrs3JAYAbcey4o9/A4ZTNrvIO
-----END CERTIFICATE-----
`;

const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnCn87qWMDPmVgxc8
om9td5UAnvgg42RdZUYhDBAUJkahRANCAASaw2uSt4FTXwxwBU+Wq+mwMM9e1h4B
+yfIYmL31vbNAZ4LA3SmyVCNduaJa42KGWT3Wwjcp7asl+/8Bf8OuXOD
-----END PRIVATE KEY-----
`;
