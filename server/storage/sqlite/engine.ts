// SQLite engine: synchronous reads, queued writes, and detection of deleted or damaged files.

import type { Say } from '../../lib/logger.ts';
import type { Engine } from '../sql/engine.ts';
import type { Answer, Query, Work } from '../sql/statements.ts';
import type { Database } from './connection.ts';
import { inOrder } from './write-queue.ts';

/** Interval of the check for writes of other processes. */
const POLL_INTERVAL_MS = 500;

/** How long a statement waits for the lock of another program, ms. It blocks the whole process. */
const BUSY_MS = 50;

const NOTHING: Answer = { rows: [], changes: 0 };

/** Returns a function that runs the steps of a work on an open connection, synchronously. */
export const doer = (database: Database): (<T>(work: Work<T>) => T) => {
  // A rolled back transaction clears the memory of statements that already ran (`Query.once`).
  let said = new WeakSet<object>();
  let undone = 0;
  const isSaid = ({ once }: Query): boolean => {
    if (undone !== database.undone()) [said, undone] = [new WeakSet(), database.undone()];
    return once !== undefined && said.has(once);
  };
  const answer = ({ text, values, gives }: Query): Answer => {
    const statement = database.sql(text);
    if (gives === 'run') return { rows: [], changes: Number(statement.run(...values).changes) };
    if (gives === 'all') return { rows: statement.all(...values), changes: 0 };
    const row = statement.get(...values);
    return { rows: row ? [row] : [], changes: 0 };
  };
  const takeStep = (queries: readonly Query[]): Answer[] => {
    const answers = queries.map((query) => (isSaid(query) ? NOTHING : answer(query)));
    for (const { once } of queries) if (once) said.add(once);
    return answers;
  };
  return (work) => {
    let step = work.next([]);
    while (!step.done) step = work.next(takeStep(step.value));
    return step.value;
  };
};

const GONE =
  'The database under DATA_DIR was deleted or replaced, and nothing is answered from it: put the same files back, or stop the server, put a backup in place and start.';

const DAMAGED =
  'The database under DATA_DIR is damaged, and what lies there cannot be answered: stop the server, put a backup in its place and start.';

/** Records an error that reports a damaged database, logs it once, and rethrows it. Damage does not disappear by itself. */
const lookForDamage = (log: Say | undefined) => {
  let damage: Error | null = null;
  return {
    damage: () => damage,
    over<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Error && /malformed|not a database/.test(error.message))) throw error;
        if (damage === null) log?.(DAMAGED);
        damage = error;
        throw error;
      }
    },
  };
};

/** Returns a function that throws while the database's files are not the opened ones. It logs that once. */
const guard = (database: Database, log: Say | undefined): (() => void) => {
  let isTold = false;
  return () => {
    const isThere = database.isThere();
    if (!isThere && !isTold) log?.(GONE);
    isTold = !isThere;
    if (!isThere) throw Object.assign(new Error('unable to open database file: it was deleted or replaced'), { code: 'GONE' });
  };
};

/** Creates the engine on an open SQLite connection. */
export const sqliteEngine = (database: Database, log?: Say): Engine => {
  const now = doer(database);
  const requireFiles = guard(database, log);
  const write = inOrder();
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const { damage, over } = lookForDamage(log);
  const listeners = new Set<() => void>();
  const hearers = new Set<(word: string) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const dataVersion = () => {
    try {
      return database.sql('PRAGMA data_version').get()?.data_version;
    } catch {
      // Callers of other methods get the error; here it would end the process.
      return undefined;
    }
  };
  const look = () => {
    let seen = dataVersion();
    timer = setInterval(() => {
      const present = dataVersion();
      if (present !== seen) tell();
      seen = present;
    }, POLL_INTERVAL_MS).unref();
  };
  return {
    async read(work) {
      requireFiles();
      return over(() => now(work));
    },
    write: (work) =>
      write((begun) => {
        requireFiles();
        const result = over(() =>
          database.transaction(() => {
            begun();
            return now(work);
          }),
        );
        // A write is only acknowledged if its file still has a name.
        requireFiles();
        tell();
        return result;
      }),
    watch(listener) {
      listeners.add(listener);
      if (listeners.size === 1) look();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
    async pass(word) {
      for (const hearer of hearers) hearer(word);
    },
    hear(listener) {
      hearers.add(listener);
      return () => void hearers.delete(listener);
    },
    damage,
    async hold() {
      await write(() => database.exec('BEGIN IMMEDIATE'));
      return async () => database.exec('ROLLBACK');
    },
    async close() {
      listeners.clear();
      hearers.clear();
      clearInterval(timer);
      database.close();
    },
  };
};
