import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Store } from '../../storage/ports/store.ts';

/** One process of several that does what only one may do. */
export interface Lease {
  /** Takes or renews it; false where another process holds it. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

/** Milliseconds after which a silent holder has lost it; a holder renews it each second. */
const LIFE = 5000;

/** This process, also where another had its number before: in a container every one is number 1. */
const PROCESS = randomUUID();

/** Whether a holder's process is known to have died: it ran on this machine, and its number is nobody's, or ours by now. */
const isDead = (holder: string): boolean => {
  const [host, pid, life] = holder.split(' ');
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return life !== PROCESS;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
};

/** Makes a lease of this name, kept in the store. */
export const createLease = (name: string, store: Store, now: () => number): Lease => {
  const holder = `${hostname()} ${process.pid} ${PROCESS} ${randomUUID()}`;
  const take = () => store.lease(name, holder, now(), now() + LIFE);
  return {
    async hold() {
      const other = await take();
      if (other === holder) return true;
      if (!isDead(other)) return false;
      await store.endLease(name, other);
      return (await take()) === holder;
    },
    release: () => store.endLease(name, holder),
  };
};
