import { type ResourceLimits, Worker } from 'node:worker_threads';

/** From source, as in development, Node 20 hands a thread no loader for TypeScript: it is registered there first. */
const FROM_SOURCE = `
  import('tsx/esm/api').then(({ register }) => register()).then(() => import(require('node:worker_threads').workerData.entry))
`;

/** Starts a worker thread, from source or built; `order` is its workerData. */
export const startThread = (entry: URL, order: object, resourceLimits: ResourceLimits = {}): Worker => {
  const options = { workerData: { ...order, entry: entry.href }, resourceLimits };
  return entry.pathname.endsWith('.ts') ? new Worker(FROM_SOURCE, { ...options, eval: true }) : new Worker(entry, options);
};
