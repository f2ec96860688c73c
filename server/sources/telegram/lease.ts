import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Store } from '../../storage/ports/store.ts';

/**
 * Lease (leader election between processes): work that only one process may do, done by the process that has the lease.
 */
export interface Lease {
  /** Acquires or renews the lease. Returns false if another process has it. */
  acquire(): Promise<boolean>;
  release(): Promise<void>;
}

/** Milliseconds after which a lease expires if its holder does not renew it. The holder renews it every second. */
const LEASE_LIFETIME_MS = 5000;

/** Id of this process. It distinguishes processes with the same pid: the first process of every container has pid 1. */
const PROCESS_UUID = randomUUID();

/**
 * Returns an id of the pid namespace of this process. Containers may have the same hostname, but they do not see each
 * other's pids. Namespaces of different machines may have the same number, so the id also contains the id of the boot.
 * If Linux hides them, the id matches no other process. Other systems have no pid namespaces.
 */
const readPidNamespace = (): string => {
  if (process.platform !== 'linux') return '';
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return PROCESS_UUID;
  }
};

/** Name of the processes whose pids this process can check. It contains no space. */
export const PID_SCOPE = `${hostname()}/${readPidNamespace()}`;

/**
 * Returns whether the holder's process is known to be dead: its pid is in the scope of this process, and does not exist,
 * or is ours now. Other leases end when they expire.
 */
const isHolderDead = (holder: string): boolean => {
  const [scope, pid, processUuid] = holder.split(' ');
  if (scope !== PID_SCOPE) return false;
  if (Number(pid) === process.pid) return processUuid !== PROCESS_UUID;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
};

/** Creates a lease with this name, stored in the store. */
export const createLease = (name: string, store: Store, now: () => number): Lease => {
  const holder = `${PID_SCOPE} ${process.pid} ${PROCESS_UUID} ${randomUUID()}`;
  const claim = () => store.acquireLease(name, holder, now(), now() + LEASE_LIFETIME_MS);
  return {
    async acquire() {
      const currentHolder = await claim();
      if (currentHolder === holder) return true;
      if (!isHolderDead(currentHolder)) return false;
      await store.releaseLease(name, currentHolder);
      return (await claim()) === holder;
    },
    release: () => store.releaseLease(name, holder),
  };
};
