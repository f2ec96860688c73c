/** Recent events: the positions and readers' changes of the last minutes, for clients that connect after loading their data. */
/** History of event positions over some minutes, for clients that loaded their data before they connected. */
export interface RecentPositions {
  /** Records that events after this position are being sent now. */
  record(position: number): void;
  /**
   * Returns the position of so many milliseconds ago: `now` if no event was sent since, null if it was before the start of this
   * process.
   */
  positionAt(ago: number, now: number): number | null;
}

/** Duration of the history, ms. */
export const HISTORY_MS = 10 * 60_000;
/** Tolerance, ms: a response that was read then may have been produced shortly before. */
export const READ_TOLERANCE_MS = 2000;

export function createRecentPositions(clock: () => number): RecentPositions {
  const startedAt = clock();
  const history: { readonly at: number; readonly position: number }[] = [];
  return {
    record(position) {
      const at = clock();
      const firstKept = history.findIndex((entry) => entry.at >= at - HISTORY_MS);
      history.splice(0, firstKept === -1 ? history.length : firstKept);
      history.push({ at, position });
    },
    positionAt(ago, now) {
      const since = clock() - ago;
      if (ago === 0) return now;
      if (since < startedAt) return null;
      return history.find(({ at }) => at >= since - READ_TOLERANCE_MS)?.position ?? now;
    },
  };
}

/** History over some minutes of which sessions changed their readers' own data. */
export interface RecentChanges {
  /** Records a change by a session, now; `by` is the hash of its token. */
  record(whose: string, by: string): void;
  /** Returns whether another session than `by` made a change since then, ms by the clock. */
  changedByOthers(whose: string, by: string, since: number): boolean;
}

export function createRecentChanges(clock: () => number): RecentChanges {
  /** Time of each session's last change, by reader; the reader with the latest change is last. */
  const all = new Map<string, Map<string, number>>();

  function deleteBefore(before: number): void {
    for (const [whose, sessions] of all) {
      if (Math.max(...sessions.values()) >= before) return;
      all.delete(whose);
    }
  }

  return {
    record(whose, by) {
      const now = clock();
      const sessions = new Map(all.get(whose)).set(by, now);
      all.delete(whose);
      all.set(whose, sessions);
      deleteBefore(now - HISTORY_MS);
    },
    changedByOthers(whose, by, since) {
      return [...(all.get(whose) ?? [])].some(([session, at]) => at >= since && session !== by);
    },
  };
}
