import type { WritableSignal } from '../../lib/signal.ts';
import { serviceWorkerUrl } from '../../lib/trusted-types.ts';
import { queryWorker, waitForInstall } from './messages.ts';
import { isOfThisBuild, watchMissingChunks, watchWorkerUpdates } from './update-check.ts';

/** Delay before the code of all pages is loaded, ms. The first posts and their pictures load first. */
const LOAD_PAGES_DELAY_MS = 2500;

/**
 * Registers the service worker, and purges older caches when the worker is ready. Sets `updateAvailable` to true when a
 * reload would load another build than that of this page. Without a service worker (Telegram for iOS, or the
 * registration failed) calls `loadPages`: the code of all pages is then in memory, and each page opens without a
 * network. Never rejects.
 */
export async function registerServiceWorker(
  updateAvailable: WritableSignal<boolean>,
  loadPages: () => Promise<void>,
): Promise<void> {
  if (!navigator.onLine) logOffline();
  window.addEventListener('offline', logOffline);
  const onNewBuild = () => updateAvailable.set(true);
  watchMissingChunks(onNewBuild);
  const schedulePageLoads = () => setTimeout(() => loadPages().catch(() => {}), LOAD_PAGES_DELAY_MS);
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
  // The lock lets one tab purge at a time: otherwise a tab could list the caches before another tab writes its new one,
  // and that cache would remain.
  await navigator.locks.request('changer-purge', () => purgeCaches(registration)).catch(() => {});
}

function logOffline(): void {
  console.log('No internet connection found. App is running in offline mode.');
}

/**
 * Purges old caches. Specification 4.7 requires that every cache entry is deleted when the worker is ready, and 1.3
 * requires that the app opens offline. So each worker first stores a new complete copy of the app shell under a new
 * cache name, and the older caches are deleted only after each worker reports that its copy is complete.
 *
 * The workers are the active one, and the waiting one of a newer build. If this page belongs to the build of the
 * waiting worker, only that worker stores a copy, because the server may no longer have the files of the active
 * worker's build. An installation in progress is awaited first: the purge would delete its incomplete cache, and an
 * installing worker sends no response.
 */
async function purgeCaches(registration: ServiceWorkerRegistration): Promise<void> {
  await waitForInstall(registration.installing);
  const previousCaches = await caches.keys();
  const { active, waiting } = registration;
  const isPageOfWaitingBuild = waiting !== null && (await isOfThisBuild(waiting)) === true;
  const workers = (isPageOfWaitingBuild ? [waiting] : [active, waiting]).filter((worker) => worker !== null);
  const responses = await Promise.all(workers.map((worker) => queryWorker(worker, { type: 'refresh' })));
  if (responses.length > 0 && responses.every(isComplete)) await Promise.all(previousCaches.map((name) => caches.delete(name)));
}

/** Returns true if a worker reports that its copy of the shell is complete. */
const isComplete = (response: unknown): boolean =>
  typeof response === 'object' && response !== null && 'complete' in response && response.complete === true;
