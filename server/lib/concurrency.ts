/**
 * Concurrency limit: a number of slots in total and for each client. It is used for event streams, connections and feed
 * checks.
 */
export interface SlotLimiter {
  /** Takes a slot and returns a function that releases it. Returns null if none is free. */
  acquire(client: string): (() => void) | null;
  /** Returns the number of taken slots. */
  count(): number;
}

/**
 * Limits of event streams: a process can hold some ten thousand sockets, and an address may be that of a whole office.
 */
const MAX_STREAMS = { all: 8000, each: 100 };

/** Creates a limiter without taken slots. `limits.all` is the limit in total, `limits.each` for each client. */
export function createSlotLimiter(limits = MAX_STREAMS): SlotLimiter {
  const takenByClient = new Map<string, number>();
  let total = 0;
  return {
    acquire(client) {
      const taken = takenByClient.get(client) ?? 0;
      if (total >= limits.all || taken >= limits.each) return null;
      total++;
      takenByClient.set(client, taken + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        total--;
        const remaining = (takenByClient.get(client) ?? 1) - 1;
        if (remaining > 0) takenByClient.set(client, remaining);
        else takenByClient.delete(client);
      };
    },
    count: () => total,
  };
}
