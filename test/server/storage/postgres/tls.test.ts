// TLS of PostgreSQL connections, by `sslmode` of the address.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';
import { openPool } from '../../../../server/storage/postgres/connection-pool.ts';
import { noPostgres, openClient, type Postgres, startPostgres } from '../../../support/postgres.ts';

/** Gives a server a certificate that no authority has signed. */
async function enableTls(server: Postgres, url: string): Promise<void> {
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const client = await openClient(url);
  const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
  const folder = rows[0]?.folder ?? '';
  const files = ['-keyout', `${folder}/server.key`, '-out', `${folder}/server.crt`];
  execFileSync('openssl', ['req', '-x509', ...options, ...files], { stdio: 'pipe' });
  execFileSync('chown', ['--reference', folder, `${folder}/server.key`, `${folder}/server.crt`]);
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
  await server.kill();
  await server.start();
}

async function isEncrypted(t: TestContext, address: string): Promise<boolean> {
  const pool = openPool(address);
  t.after(() => pool.end(1000));
  const { rows } = await pool.query<{ ssl: number }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  return rows[0]?.ssl === 1;
}

describe('TLS of a PostgreSQL connection', { skip: noPostgres() }, () => {
  it('is used as sslmode requires', async (t) => {
    const server = await startPostgres({ durable: false });
    t.after(() => server.stop());
    const url = await server.database();
    const rejected = { code: 'CONNECTION_CLOSED' };
    for (const mode of ['require', 'verify-full', 'allow'])
      await assert.rejects(isEncrypted(t, `${url}?sslmode=${mode}`), rejected);
    assert.equal(await isEncrypted(t, `${url}?sslmode=prefer`), false);

    await enableTls(server, url);
    for (const mode of ['require', 'prefer', 'allow']) assert.equal(await isEncrypted(t, `${url}?sslmode=${mode}`), true, mode);
    for (const query of ['', '?sslmode=disable']) assert.equal(await isEncrypted(t, url + query), false);
    for (const mode of ['verify-full', 'verify-ca'])
      await assert.rejects(isEncrypted(t, `${url}?sslmode=${mode}`), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    await assert.rejects(isEncrypted(t, `${url}?sslrootcert=system`), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});
