import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePostgresUrl } from '../../../server/lib/postgres-url.ts';

describe('the URL of a PostgreSQL database', () => {
  const samples: readonly (readonly [address: string, hosts: readonly string[], ports: readonly number[]])[] = [
    ['postgres://me@host/db', ['host'], [5432]],
    ['postgres://me@host:6000/db', ['host'], [6000]],
    ['postgres:///db', ['localhost'], [5432]],
    ['postgres://me@[::1]/db', ['::1'], [5432]],
    ['postgres://me:p%40ss@[2001:db8::7]:6000/db?sslmode=require', ['2001:db8::7'], [6000]],
    ['postgres://me@[::1]:6000,host,10.0.0.1:6001/db', ['::1', 'host', '10.0.0.1'], [6000, 5432, 6001]],
    ['postgres://me@:6000/db?host=/run/postgresql', ['/run/postgresql'], [6000]],
  ];
  for (const [address, hosts, ports] of samples)
    it(`parses to hosts and ports: ${address}`, () => {
      const read = parsePostgresUrl(address);
      assert.deepEqual([read?.hosts, read?.ports], [hosts, ports]);
    });

  it('parses to the decoded user, password and database, and the settings', () => {
    const { user, password, database, settings } =
      parsePostgresUrl('postgres://a%40b:p%23%25%2F@host/d%62?max=20&host=/run') ?? {};
    assert.deepEqual([user, password, database, settings], ['a@b', 'p#%/', 'db', { max: '20' }]);
    const bare = parsePostgresUrl('postgres://host');
    assert.deepEqual([bare?.user, bare?.password, bare?.database, bare?.settings], ['', '', '', {}]);
  });

  it('is rejected if it is invalid or has an IPv6 address without brackets', () => {
    for (const address of ['postgres://me@::1/db', 'postgres://me@[::zz]/db', 'postgres://me@[::1/db', 'postgres://me@host/d%zz'])
      assert.equal(parsePostgresUrl(address), null, address);
  });
});
