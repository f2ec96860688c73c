// Storage errors: the engines translate errors of their drivers by code, and callers decide by kind.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { describeError } from '../../../server/cli/explain-error.ts';
import {
  classifyFailure,
  isDatabaseUnreachable,
  isDiskFullError,
  StorageError,
  type StorageErrorKind,
} from '../../../server/lib/infrastructure-errors.ts';
import { withTimeout } from '../../../server/lib/time.ts';
import { toPostgresStorageError } from '../../../server/storage/postgres/errors.ts';
import { type Driver, openDriver, openSqliteDatabase } from '../../../server/storage/sqlite/connection.ts';
import { sqliteResultCode, toSqliteStorageError } from '../../../server/storage/sqlite/errors.ts';
import { makeFolder } from '../support/make-app.ts';

const kindOf = (error: unknown): StorageErrorKind | null => (error instanceof StorageError ? error.kind : null);

const withCode = (code: string) => Object.assign(new Error('The text says nothing.'), { code });

/** Returns the error that a call throws. */
const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('it does not throw');
};

describe('errors of SQLite', () => {
  it('are translated when the driver throws them', async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, 'changer.sqlite');
    const drivers: Driver[] = [await openDriver(path), await openDriver(path)];
    t.after(() => drivers.forEach((driver) => void driver.close()));
    const [driver, other] = drivers as [Driver, Driver];
    driver.exec('PRAGMA busy_timeout = 1; CREATE TABLE things (body TEXT)');
    other.exec('BEGIN IMMEDIATE');
    const busy = thrownBy(() => driver.exec('BEGIN IMMEDIATE'));
    other.exec('ROLLBACK');
    driver.exec('PRAGMA max_page_count = 4');
    const full = thrownBy(() => driver.prepare('INSERT INTO things VALUES (?)').run('x'.repeat(99_999)));
    driver.exec('PRAGMA query_only = 1');
    const readonly = thrownBy(() => driver.exec('INSERT INTO things VALUES (1)'));
    assert.deepEqual([busy, full, readonly].map(kindOf), ['busy', 'full', 'readonly']);
    assert.deepEqual([busy, full, readonly].map(sqliteResultCode), ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_READONLY']);
    for (const error of [busy, full, readonly])
      assert.ok(error instanceof Error && error.cause instanceof Error && error.message === error.cause.message);
  });

  it('are translated if a file cannot be opened or is not a database', async (t) => {
    const folder = makeFolder(t);
    writeFileSync(join(folder, 'changer.sqlite'), 'x'.repeat(5000));
    assert.equal(kindOf(await openDriver(folder).catch((error: unknown) => error)), 'unreachable');
    const damaged = await openDriver(join(folder, 'changer.sqlite'));
    t.after(() => void damaged.close());
    assert.equal(kindOf(thrownBy(() => damaged.prepare('SELECT * FROM things').all())), 'corrupt');
  });

  it('keep the first error of a transaction that SQLite has rolled back itself', async (t) => {
    const database = await openSqliteDatabase(join(makeFolder(t), 'changer.sqlite'));
    t.after(() => database.close());
    const work = () => {
      database.exec('ROLLBACK');
      throw new StorageError('full', 'SQLITE_FULL', 'the first error');
    };
    assert.throws(() => database.transaction(work), /the first error/);
  });

  it('leave all other errors as they are', async (t) => {
    const driver = await openDriver(join(makeFolder(t), 'changer.sqlite'));
    t.after(() => void driver.close());
    const syntaxError = thrownBy(() => driver.exec('SELECT FROM nothing'));
    assert.deepEqual([kindOf(syntaxError), sqliteResultCode(syntaxError)], [null, 'SQLITE_ERROR']);
    driver.exec('PRAGMA foreign_keys = ON; CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a)');
    const foreign = thrownBy(() => driver.exec('INSERT INTO b VALUES (1)'));
    assert.deepEqual([kindOf(foreign), sqliteResultCode(foreign)], [null, 'SQLITE_CONSTRAINT_FOREIGNKEY']);
  });

  it('have the same kinds with both drivers', () => {
    const numbers: readonly (readonly [errcode: number, code: string, kind: StorageErrorKind | null])[] = [
      [1, 'SQLITE_ERROR', null],
      [5, 'SQLITE_BUSY', 'busy'],
      [261, 'SQLITE_BUSY_RECOVERY', 'busy'],
      [6, 'SQLITE_LOCKED', null],
      [8, 'SQLITE_READONLY', 'readonly'],
      [1032, 'SQLITE_READONLY_DBMOVED', 'readonly'],
      [266, 'SQLITE_IOERR_READ', 'unreachable'],
      [778, 'SQLITE_IOERR_WRITE', 'full'],
      [11, 'SQLITE_CORRUPT', 'corrupt'],
      [267, 'SQLITE_CORRUPT_VTAB', 'corrupt'],
      [13, 'SQLITE_FULL', 'full'],
      [14, 'SQLITE_CANTOPEN', 'unreachable'],
      [26, 'SQLITE_NOTADB', 'corrupt'],
      [787, 'SQLITE_CONSTRAINT_FOREIGNKEY', null],
    ];
    for (const [errcode, code, kind] of numbers) {
      assert.equal(kindOf(toSqliteStorageError(withCode(code))), kind, code);
      assert.equal(kindOf(toSqliteStorageError(Object.assign(withCode('ERR_SQLITE_ERROR'), { errcode }))), kind, code);
    }
  });
});

describe('errors of PostgreSQL', () => {
  const codes: Readonly<Record<string, readonly string[]>> = {
    full: ['53100'],
    readonly: ['25006'],
    busy: ['40001', '40P01', '55P03'],
    unreachable: [
      ...['57014', '57P01', '57P02', '57P03', '57P05', '53200', '53300', '08006', '08001'],
      ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
      ...['25P03', '25P04', 'ECONNABORTED', 'EPIPE'],
      ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
    ],
  };

  it('have a kind that follows from their code, and keep the code', () => {
    for (const [kind, those] of Object.entries(codes))
      for (const code of those) {
        const error = toPostgresStorageError(withCode(code));
        assert.ok(error instanceof StorageError, code);
        assert.deepEqual([error.kind, error.code], [kind, code]);
        assert.equal(toPostgresStorageError(error), error);
      }
  });

  it('leave all other errors as they are', () => {
    for (const code of ['23505', '23503', '42601', 'ERR_INVALID_ARG_TYPE']) {
      const error = withCode(code);
      assert.equal(toPostgresStorageError(error), error);
    }
  });
});

describe('classifyFailure', () => {
  const of = (kind: StorageErrorKind) => classifyFailure(new StorageError(kind, 'X', 'The text says nothing.'));

  it('returns the component and the message for readers', () => {
    assert.deepEqual(
      (['full', 'readonly', 'busy', 'corrupt', 'unreachable'] as const).map((kind) => of(kind)?.component),
      ['disk', 'disk', 'database', 'database', 'database'],
    );
    assert.match(of('busy')?.detail ?? '', /database is busy/);
    assert.equal(of('corrupt')?.detail, of('unreachable')?.detail);
    assert.equal(classifyFailure(withCode('EMFILE'))?.component, 'overload');
    assert.equal(classifyFailure(withCode('EROFS'))?.component, 'disk');
    assert.equal(of('full')?.retryAfter, 30);
  });

  it('ignores the text of an error', () => {
    for (const text of ['database or disk is full', 'database is locked', 'ECONNREFUSED', 'code 53100'])
      assert.equal(classifyFailure(new Error(text)), null);
  });

  it('agrees with the checks for an unreachable database and a full disk', () => {
    const silent = withTimeout(new Promise(() => {}));
    const errors = (['full', 'readonly', 'busy', 'corrupt', 'unreachable'] as const).map(
      (kind) => new StorageError(kind, 'X', ''),
    );
    assert.deepEqual(errors.map(isDatabaseUnreachable), [false, false, false, true, true]);
    assert.deepEqual(errors.map(isDiskFullError), [true, false, false, false, false]);
    assert.equal(isDiskFullError(withCode('EDQUOT')), true);
    return assert.rejects(silent, { kind: 'unreachable', code: 'DATABASE_SILENT' });
  });

  it('agrees with describeError, which returns one sentence for the user of a command', () => {
    assert.equal(describeError(new StorageError('full', 'SQLITE_FULL', 'x')), 'The disk is full.');
    assert.equal(describeError(withCode('ENOSPC')), 'The disk is full.');
    assert.match(
      describeError(new StorageError('unreachable', 'CONNECTION_CLOSED', 'x')),
      /^The connection to the database of DATABASE_URL was lost/,
    );
  });
});
