import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';

/** Time within which a reachable server responds, ms. */
const SYNC_TIMEOUT_MS = 3000;
/** A change is dated slightly before the data layer reports that it is waiting, ms. */
const DATE_TOLERANCE_MS = 50;
const NO_IDS: ReadonlySet<string> = new Set();

/** Changes of the line-up that have not reached the server. */
export interface UnsyncedRows {
  /** Ids of the channels that changed since the last successful save. */
  readonly ids: ReadonlySet<string>;
  /** True if the server rejected the changes or does not respond although there is a network. */
  readonly failed: boolean;
}

/**
 * Unsynced rows: returns which rows wait to be saved, and whether saving failed. Rows changed in an earlier visit are
 * not identified.
 */
export function useUnsyncedRows(rows: readonly LineupRow[]): UnsyncedRows {
  const { dataClient } = useServices();
  const syncStatus = useSignalValue(dataClient.syncStatus);
  const { type } = syncStatus;
  const connection = useSignalValue(dataClient.connectivity);
  const [waitingSince, setWaitingSince] = useState<number | null>(null);
  const [isLate, setIsLate] = useState(false);
  const previousType = useRef(type);
  useEffect(() => {
    if (type === 'saved') setWaitingSince(null);
    else if (previousType.current === 'saved') setWaitingSince(Date.now() - DATE_TOLERANCE_MS);
    previousType.current = type;
    setIsLate(false);
    if (type !== 'waiting') return;
    const timer = setTimeout(() => setIsLate(true), SYNC_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [type]);
  const changedRows = waitingSince === null ? [] : rows.filter((row) => (row.entry.changed ?? 0) >= waitingSince);
  const ids = changedRows.length === 0 ? NO_IDS : new Set(changedRows.map((row) => row.channel.id));
  const isRejected = syncStatus.type === 'rejected' && syncStatus.changeType === 'lineup';
  return { ids, failed: isRejected || (isLate && connection !== 'offline') };
}
