import { hashOf } from '../auth/sessions.ts';

/** Remembers for some minutes when events were told, for readers who began to read before they listened. */
export interface Past {
  /** Notes that what comes after this position is being told now. */
  passed(position: number): void;
  /** The position so many milliseconds ago; `now` where nothing was told since, null where that was before this process. */
  positionAt(ago: number, now: number): number | null;
}

/** So long, ms. */
export const REMEMBERED = 10 * 60_000;
/** Answers that were read then may have been written a little before. */
export const SLACK = 2000;

export function createPast(clock: () => number): Past {
  const begun = clock();
  const told: { readonly at: number; readonly position: number }[] = [];
  return {
    passed(position) {
      const at = clock();
      const old = told.findIndex((one) => one.at >= at - REMEMBERED);
      told.splice(0, old === -1 ? told.length : old);
      told.push({ at, position });
    },
    positionAt(ago, now) {
      const since = clock() - ago;
      if (ago === 0) return now;
      if (since < begun) return null;
      return told.find(({ at }) => at >= since - SLACK)?.position ?? now;
    },
  };
}

/** Remembers for some minutes which sessions changed what is their readers' own. */
export interface Changes {
  /** Notes a change, now, by a session; `by` is the hash of its token. */
  note(whose: string, by: string): void;
  /** Whether another session than this token's changed something since then, ms by the clock. */
  byOthers(whose: string, token: string, since: number): boolean;
}

export function createChanges(clock: () => number): Changes {
  /** When each session did last, by readers; who changed something last is last. */
  const all = new Map<string, Map<string, number>>();

  function forget(before: number): void {
    for (const [whose, sessions] of all) {
      if (Math.max(...sessions.values()) >= before) return;
      all.delete(whose);
    }
  }

  return {
    note(whose, by) {
      const now = clock();
      const sessions = new Map(all.get(whose)).set(by, now);
      all.delete(whose);
      all.set(whose, sessions);
      forget(now - REMEMBERED);
    },
    byOthers(whose, token, since) {
      const own = hashOf(token);
      return [...(all.get(whose) ?? [])].some(([by, at]) => at >= since && by !== own);
    },
  };
}
