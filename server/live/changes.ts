import { hashOf } from '../auth/sessions.ts';
import { REMEMBERED } from '../events/recent.ts';

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
