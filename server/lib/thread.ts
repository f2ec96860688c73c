import { type ResourceLimits, Worker } from 'node:worker_threads';

/**
 * Bootstrap of a thread that runs from source, as in development: Node 20 does not pass a TypeScript loader to threads,
 * so it is registered first.
 */
const TYPESCRIPT_LOADER = `
  import('tsx/esm/api').then(({ register }) => register()).then(() => import(require('node:worker_threads').workerData.entry))
`;

/**
 * Worker thread: starts a thread from source or from the build. `data` becomes its `workerData`, together with `entry`.
 */
export const startWorkerThread = (entry: URL, data: object, resourceLimits: ResourceLimits = {}): Worker => {
  const options = { workerData: { ...data, entry: entry.href }, resourceLimits };
  return entry.pathname.endsWith('.ts') ? new Worker(TYPESCRIPT_LOADER, { ...options, eval: true }) : new Worker(entry, options);
};
