/* Service worker updates: detects that a newer build is available. */
import { appScriptPath } from '../inline/held-scripts.ts';
import { isMissingChunk } from '../shell/load-error.ts';
import { queryWorker, waitForInstall } from './messages.ts';

/** Minimum interval between update checks when an open page becomes visible again, ms. */
const UPDATE_CHECK_INTERVAL_MS = 3_600_000;

/**
 * Resolves with true if a worker belongs to this page's build: it then knows the page's script. Resolves with null if
 * the worker does not respond.
 */
export const isOfThisBuild = (worker: ServiceWorker): Promise<unknown> =>
  queryWorker(worker, { type: 'has', path: appScriptPath() ?? '' });

/**
 * Calls `onNewBuild` when there is a new worker that does not know this page's script: a reload then loads another
 * build. The active worker is checked too, because another tab may have activated the new one.
 */
export function watchWorkerUpdates(registration: ServiceWorkerRegistration, onNewBuild: () => void): void {
  const check = async (worker: ServiceWorker | null): Promise<void> => {
    await waitForInstall(worker);
    if (worker === null || worker.state === 'redundant') return;
    if ((await isOfThisBuild(worker)) === false) onNewBuild();
  };
  void check(registration.waiting);
  void check(registration.installing);
  registration.addEventListener('updatefound', () => void check(registration.installing));
  navigator.serviceWorker.addEventListener('controllerchange', () => void check(navigator.serviceWorker.controller));
  let lastCheckAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lastCheckAt < UPDATE_CHECK_INTERVAL_MS) return;
    lastCheckAt = Date.now();
    registration.update().catch(() => {});
  });
}

/**
 * Calls `onNewBuild` when the server returns 404 for a chunk that this page requested: the page then belongs to a
 * deleted build.
 */
export function watchMissingChunks(onNewBuild: () => void): void {
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isMissingChunk)) onNewBuild();
  }).observe({ type: 'resource', buffered: true });
}
