/** Replica scope: marks the work of a request that may read from a replica of the database. */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<true>();

/** Runs a task whose reads may come from a replica, also those that it starts asynchronously. */
export const allowReplica = <T>(task: () => T): T => scope.run(true, task);

/** Returns whether the current task may read from a replica. */
export const mayReadReplica = (): boolean => scope.getStore() === true;
