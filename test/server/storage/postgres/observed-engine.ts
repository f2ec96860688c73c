// PostgreSQL engine on an empty store, whose transactions and packets a test counts.

import type { TestContext } from 'node:test';
import { openStore } from '../../../../server/storage/open.ts';
import { openPool } from '../../../../server/storage/postgres/connection-pool.ts';
import { createPostgresEngine } from '../../../../server/storage/postgres/engine.ts';
import type { Engine } from '../../../../server/storage/sql/engine.ts';
import type { Postgres } from '../../../support/postgres.ts';

export interface ObservedEngine {
  readonly databaseUrl: string;
  readonly engine: Engine;
  /** Statements of each packet of a transaction's steps, for each transaction, without `BEGIN` and `COMMIT`. */
  readonly transactions: number[][];
}

/** Opens an engine on a new database. It is closed after the test. */
export const openObservedEngine = async (server: Postgres, t: TestContext): Promise<ObservedEngine> => {
  const databaseUrl = await server.database();
  await (await openStore({ dataDir: '', databaseUrl })).close();
  const pool = openPool(databaseUrl);
  const transactions: number[][] = [];
  const acquire = async () => {
    const sizes: number[] = [];
    transactions.push(sizes);
    const connection = await pool.acquire();
    const queryAll: typeof connection.queryAll = (statements, onResponse) => {
      sizes.push(statements.length);
      return connection.queryAll(statements, onResponse);
    };
    return { ...connection, queryAll };
  };
  const engine = createPostgresEngine({ ...pool, acquire });
  t.after(() => engine.close());
  return { databaseUrl, engine, transactions };
};
