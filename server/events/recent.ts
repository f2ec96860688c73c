/**
 * Recent events: the positions and readers' changes of the last minutes, for clients that connect after loading their
 * data.
 */
import { SHARED_CACHE_SECONDS } from '../../contract/limits.ts';

/** History of event positions over some minutes, for clients that loaded their data before they connected. */
export interface RecentPositions {
  /** Records that events after this position are being sent now. */
  record(position: number): void;
  /**
   * Returns the position of `ago` milliseconds ago: `current` if no event was sent since then, null if that was before
   * the start of this process.
   */
  positionAt(ago: number, current: number): number | null;
}

/** Duration of the history, ms. */
export const HISTORY_MS = 10 * 60_000;
/** Tolerance, ms: the server may have produced a response shortly before the client received it. */
export const READ_TOLERANCE_MS = 2000;
/** The same for public data, ms: a shared cache may have stored the response. */
const PUBLIC_READ_TOLERANCE_MS = READ_TOLERANCE_MS + SHARED_CACHE_SECONDS * 1000;

/** Creates an empty history. `clock` is monotonic, ms. */
export function createRecentPositions(clock: () => number): RecentPositions {
  const startedAt = clock();
  const history: { readonly at: number; readonly position: number }[] = [];
  return {
    record(position) {
      const at = clock();
      const firstRecent = history.findIndex((entry) => entry.at >= at - HISTORY_MS);
      history.splice(0, firstRecent === -1 ? history.length : firstRecent);
      history.push({ at, position });
    },
    positionAt(ago, current) {
      const since = clock() - ago;
      if (ago === 0) return current;
      if (since < startedAt) return null;
      return history.find(({ at }) => at >= since - PUBLIC_READ_TOLERANCE_MS)?.position ?? current;
    },
  };
}

/** History over some minutes of which sessions changed their readers' own data. */
export interface RecentChanges {
  /** Records a change by a session now; `sessionHash` is the hash of its token. */
  record(ownerKey: string, sessionHash: string): void;
  /** Returns whether a session other than `sessionHash` made a change after `since`, ms by the clock. */
  changedByOthers(ownerKey: string, sessionHash: string, since: number): boolean;
}

/** Creates an empty history. `clock` is monotonic, ms. */
export function createRecentChanges(clock: () => number): RecentChanges {
  /** Time of each session's last change, by reader; the reader with the latest change is last. */
  const changesByOwner = new Map<string, Map<string, number>>();

  function deleteBefore(minTime: number): void {
    for (const [ownerKey, sessions] of changesByOwner) {
      if (Math.max(...sessions.values()) >= minTime) return;
      changesByOwner.delete(ownerKey);
    }
  }

  return {
    record(ownerKey, sessionHash) {
      const now = clock();
      const sessions = new Map(changesByOwner.get(ownerKey)).set(sessionHash, now);
      changesByOwner.delete(ownerKey);
      changesByOwner.set(ownerKey, sessions);
      deleteBefore(now - HISTORY_MS);
    },
    changedByOthers(ownerKey, sessionHash, since) {
      return [...(changesByOwner.get(ownerKey) ?? [])].some(([session, at]) => at >= since && session !== sessionHash);
    },
  };
}
