/**
 * Concurrency limit: a number of slots in total and for each client. It is used for event streams, connections and feed checks.
 */
export interface SlotLimiter {
  /** Takes a slot and returns a function that releases it. Returns null if none is free. */
  acquire(whose: string): (() => void) | null;
  count(): number;
}

/** Limits of event streams: a process can hold some ten thousand sockets, and an address may be that of a whole office. */
export const MAX_STREAMS = { all: 8000, each: 100 };

export function createSlotLimiter(most = MAX_STREAMS): SlotLimiter {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    acquire(whose) {
      const own = taken.get(whose) ?? 0;
      if (all >= most.all || own >= most.each) return null;
      all++;
      taken.set(whose, own + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all--;
        const rest = (taken.get(whose) ?? 1) - 1;
        if (rest > 0) taken.set(whose, rest);
        else taken.delete(whose);
      };
    },
    count: () => all,
  };
}
