import { type ResourceLimits, Worker } from 'node:worker_threads';

/**
 * Bootstrap of a thread that runs from source, as in development: Node 20 does not pass a TypeScript loader to threads, so it is
 * registered first.
 */
const TYPESCRIPT_LOADER = `
  import('tsx/esm/api').then(({ register }) => register()).then(() => import(require('node:worker_threads').workerData.entry))
`;

/** Worker thread: starts it from source or from the build. `order` is its `workerData`. */
export const startWorkerThread = (entry: URL, order: object, resourceLimits: ResourceLimits = {}): Worker => {
  const options = { workerData: { ...order, entry: entry.href }, resourceLimits };
  return entry.pathname.endsWith('.ts') ? new Worker(TYPESCRIPT_LOADER, { ...options, eval: true }) : new Worker(entry, options);
};
