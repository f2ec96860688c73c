/** Work by client: measures which client causes most of the server's work. */

/** Half-life of a client's work, ms. */
const HALF_LIFE_MS = 10_000;
/** Maximum number of clients in memory. The client that was active longest ago is evicted first. */
const MAX_CLIENTS = 5000;
/** A client that causes more than this share of the work is the cause of an overload. */
const CAUSE_SHARE = 0.5;
/** Time after which the sums are scaled down, ms. 2 ** 100 is far below the maximum of a number, 2 ** 1023. */
const REBASE_INTERVAL_MS = 100 * HALF_LIFE_MS;

/** Recent work of each client: the time that its requests were in progress. Older requests count less. */
export interface WorkByClient {
  /** Adds the time that a request was in progress, ms. */
  add(client: string, ms: number): void;
  /** Returns the client that causes most of the work; null if no client does, or if there is only one client. */
  heaviestClient(): string | null;
}

/** Creates the counter. `now` is a monotonic clock, ms. */
export function createWorkByClient(now: () => number = () => performance.now()): WorkByClient {
  /** Sums of ms * 2 ** (time / HALF_LIFE_MS). With this form no sum has to be reduced as time passes. */
  const sums = new Map<string, number>();
  let total = 0;
  let origin = now();

  /** Moves the origin of time forward before the sums exceed the range of a number. */
  function rebase(time: number): void {
    const factor = 2 ** ((origin - time) / HALF_LIFE_MS);
    for (const [client, sum] of sums) sums.set(client, sum * factor);
    total *= factor;
    origin = time;
  }

  return {
    add(client, ms) {
      const time = now();
      if (time - origin > REBASE_INTERVAL_MS) rebase(time);
      const sum = (sums.get(client) ?? 0) + ms * 2 ** ((time - origin) / HALF_LIFE_MS);
      total += sum - (sums.get(client) ?? 0);
      sums.delete(client);
      sums.set(client, sum);
      const [oldest = client] = sums.keys();
      if (sums.size <= MAX_CLIENTS) return;
      total -= sums.get(oldest) ?? 0;
      sums.delete(oldest);
    },
    heaviestClient() {
      if (sums.size < 2) return null;
      for (const [client, sum] of sums) if (sum > total * CAUSE_SHARE) return client;
      return null;
    },
  };
}
