/**
 * Concurrency limit: a number of slots in total and for each client. It is used for event streams, connections and feed checks.
 */
export interface SlotLimiter {
  /** Takes a slot and returns a function that releases it. Returns null if none is free. */
  acquire(client: string): (() => void) | null;
  count(): number;
}

/** Limits of event streams: a process can hold some ten thousand sockets, and an address may be that of a whole office. */
const MAX_STREAMS = { all: 8000, each: 100 };

export function createSlotLimiter(limits = MAX_STREAMS): SlotLimiter {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    acquire(client) {
      const ofClient = taken.get(client) ?? 0;
      if (all >= limits.all || ofClient >= limits.each) return null;
      all++;
      taken.set(client, ofClient + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        all--;
        const remaining = (taken.get(client) ?? 1) - 1;
        if (remaining > 0) taken.set(client, remaining);
        else taken.delete(client);
      };
    },
    count: () => all,
  };
}
