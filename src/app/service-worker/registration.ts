import type { WritableSignal } from '../../lib/signal.ts';
import { serviceWorkerUrl } from '../../lib/trusted-types.ts';
import { queryWorker, waitForInstall } from './messages.ts';
import { isOfThisBuild, watchMissingChunks, watchWorkerUpdates } from './update-check.ts';

/** Delay after the load event, ms: the first posts and their pictures load first. */
const LOAD_PAGES_AFTER_MS = 2500;

/**
 * Registers the service worker, and replaces every older cache entry when the worker is ready. Sets `updateAvailable` to true
 * when a reload would load another build than that of this page. If there is no service worker (Telegram for iOS), calls
 * `loadPages`, so that each page can open without a network. Never rejects.
 */
export async function registerServiceWorker(
  updateAvailable: WritableSignal<boolean>,
  loadPages: () => Promise<void>,
): Promise<void> {
  if (!navigator.onLine) logOffline();
  window.addEventListener('offline', logOffline);
  const onNewBuild = () => updateAvailable.set(true);
  watchMissingChunks(onNewBuild);
  const schedulePageLoads = () => setTimeout(() => loadPages().catch(() => {}), LOAD_PAGES_AFTER_MS);
  if (!('serviceWorker' in navigator)) return void schedulePageLoads();
  let registration: ServiceWorkerRegistration;
  try {
    watchWorkerUpdates(await navigator.serviceWorker.register(serviceWorkerUrl()), onNewBuild);
    registration = await navigator.serviceWorker.ready;
  } catch (error) {
    console.error('Error during service worker registration:', error);
    schedulePageLoads();
    return;
  }
  // Runs in one tab at a time: otherwise another tab's list of cache names would miss an entry that is written in the meantime.
  await navigator.locks.request('changer-purge', () => purgeCaches(registration)).catch(() => {});
}

function logOffline(): void {
  console.log('No internet connection found. App is running in offline mode.');
}

/**
 * Purges old caches. Specification 4.7 requires the deletion of every cache entry when the worker is ready, and 1.3 requires
 * that the app opens offline. So the active worker, and a waiting worker of a new build, first write a complete fresh copy of
 * the shell under a new name. Older caches are deleted only after each worker reports that its copy is complete. A worker that
 * is still installing is awaited first: its half-written cache would be deleted, and its response would never arrive. A page of
 * the waiting build asks only the waiting worker, because the server may no longer have the files of the active one.
 */
async function purgeCaches(registration: ServiceWorkerRegistration): Promise<void> {
  await waitForInstall(registration.installing);
  const previousCaches = await caches.keys();
  const { active, waiting } = registration;
  const isPageOfWaiting = waiting !== null && (await isOfThisBuild(waiting)) === true;
  const workers = (isPageOfWaiting ? [waiting] : [active, waiting]).filter((worker) => worker !== null);
  const responses = await Promise.all(workers.map((worker) => queryWorker(worker, { type: 'refresh' })));
  if (responses.length > 0 && responses.every(isComplete)) await Promise.all(previousCaches.map((name) => caches.delete(name)));
}

/** Returns true if a worker reports that its copy of the shell is complete. */
const isComplete = (response: unknown): boolean =>
  typeof response === 'object' && response !== null && 'complete' in response && response.complete === true;
