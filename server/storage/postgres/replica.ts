/*
 * Read replica: a standby that serves reads of anonymous readers (see server/lib/replica-scope.ts) while it has received every change
 * that this process knows. After a change it is not used until it has replayed the change, so a reader who follows an event
 * finds what the event reports. Whatever fails on the replica is read from the primary database.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { LogFn } from '../../lib/logger.ts';
import { withTimeout } from '../../lib/time.ts';
import type { Pool } from './connection-pool.ts';
import { createStep, type RunStep } from './steps.ts';

/** Interval of the questions whether the replica has replayed a change, ms: the first one, and the longest. */
const MIN_CHECK_INTERVAL_MS = 10;
const MAX_CHECK_INTERVAL_MS = 1000;

const POSITION = 'SELECT pg_current_wal_lsn()::text AS position, system_identifier::text AS cluster FROM pg_control_system()';
const REPLAYED = `
  SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn AS is_current, system_identifier::text AS cluster
  FROM pg_control_system()`;

export interface Replica {
  /** Reports a change: the replica is not used until it has replayed what the primary database contains now. */
  invalidate(): void;
  /** Returns a function that sends steps to the replica, or to the primary database if that is necessary. */
  preferReplica(onPrimary: RunStep): RunStep;
  /** Returns whether steps are sent to the replica now: not before the first successful check, behind a change or after a fault. */
  isCurrent(): boolean;
  close(): Promise<void>;
}

/** Creates the replica of a primary database. It is used as soon as it has replayed what that contains now. */
export function createReplica(primary: Pool, standby: Pool, log: LogFn | undefined): Replica {
  const runOnStandby = createStep(standby);
  let changeCount = 0;
  let isCurrent = false;
  let isClosed = false;
  let isChecking = false;
  let hasReportedFault = false;

  const report = (fault: unknown): void => {
    if (hasReportedFault === (fault !== null)) return;
    hasReportedFault = fault !== null;
    if (fault === null) log?.('The replica of DATABASE_REPLICA_URL is used again.', undefined, 'info');
    else log?.('The replica of DATABASE_REPLICA_URL is not used: the primary database serves all reads.', fault);
  };

  /** Returns whether the replica has replayed what the primary database contained at the beginning. */
  async function hasReplayed(position: string, cluster: string): Promise<boolean> {
    const { rows } = await standby.query<{ is_current: number | null; cluster: string }>(REPLAYED, [position]);
    const [state] = rows;
    if (state?.cluster !== cluster || state.is_current === null)
      throw new Error('It is no standby of the database of DATABASE_URL.');
    return Boolean(state.is_current);
  }

  async function checkUntilCurrent(): Promise<void> {
    isChecking = true;
    let interval = MIN_CHECK_INTERVAL_MS;
    let target: { readonly change: number; readonly position: string; readonly cluster: string } | null = null;
    while (!isCurrent && !isClosed) {
      try {
        if (target?.change !== changeCount) {
          const change: number = changeCount;
          const { rows } = await withTimeout(primary.query<{ position: string; cluster: string }>(POSITION));
          target = { change, position: rows[0]?.position ?? '', cluster: rows[0]?.cluster ?? '' };
        }
        isCurrent = (await withTimeout(hasReplayed(target.position, target.cluster))) && target.change === changeCount;
        if (isCurrent) report(null);
      } catch (error) {
        if (!isClosed) report(error);
        interval = MAX_CHECK_INTERVAL_MS;
      }
      if (!isCurrent) await wait(interval, undefined, { ref: false });
      interval = Math.min(2 * interval, MAX_CHECK_INTERVAL_MS);
    }
    isChecking = false;
  }

  function invalidate(): void {
    changeCount += 1;
    isCurrent = false;
    if (!isChecking) void checkUntilCurrent();
  }

  invalidate();
  return {
    invalidate,
    preferReplica: (onPrimary) => async (queries) => {
      if (!isCurrent) return onPrimary(queries);
      try {
        return await withTimeout(runOnStandby(queries));
      } catch {
        // The replica may be unreachable, or the step may write. The primary database reports an error of the statement itself.
        invalidate();
        return onPrimary(queries);
      }
    },
    isCurrent: () => isCurrent,
    async close() {
      isClosed = true;
      await standby.end();
    },
  };
}
