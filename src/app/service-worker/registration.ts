import type { Cell } from '../../lib/signal.ts';
import { workerAddress } from '../../lib/trusted-types.ts';
import { askWorker, installed } from './messages.ts';
import { followBuilds, followParts, isOfThisBuild } from './update-check.ts';

/** After the load event; the first posts and their pictures come first. */
const LOAD_PAGES_AFTER_MS = 2500;

/**
 * Registers the worker and, when it is ready, has every cache entry that was there before replaced. `newer` turns true when
 * another build than this page's is to be had by a reload. Where there is no worker (Telegram for iOS) `loadPages` is called,
 * so that each page opens when the network has gone. Never rejects.
 */
export async function startOffline(newer: Cell<boolean>, loadPages: () => Promise<void>): Promise<void> {
  if (!navigator.onLine) sayOffline();
  window.addEventListener('offline', sayOffline);
  const tell = () => newer.set(true);
  followParts(tell);
  const loadAhead = () => setTimeout(() => loadPages().catch(() => {}), LOAD_PAGES_AFTER_MS);
  if (!('serviceWorker' in navigator)) return void loadAhead();
  let ready: ServiceWorkerRegistration;
  try {
    followBuilds(await navigator.serviceWorker.register(workerAddress()), tell);
    ready = await navigator.serviceWorker.ready;
  } catch (error) {
    console.error('Error during service worker registration:', error);
    loadAhead();
    return;
  }
  // One after the other in all tabs: what one writes meanwhile, another would not have noted.
  await navigator.locks.request('changer-purge', () => purge(ready)).catch(() => {});
}

function sayOffline(): void {
  console.log('No internet connection found. App is running in offline mode.');
}

/**
 * Specification 4.7 requires to delete every cache entry when the worker is ready, and 1.3 that the app opens offline. So the worker first writes
 * a complete fresh copy of the shell under a new name, and so does one that waits with a new build; only when they say that
 * this is done does everything older go. What is still being installed would be deleted half-written, and waited for in vain.
 * A page of the waiting build asks only the waiting worker: the server may no longer have the files of the active one.
 */
async function purge(registration: ServiceWorkerRegistration): Promise<void> {
  await installed(registration.installing);
  const before = await caches.keys();
  const { active, waiting } = registration;
  const isNext = waiting !== null && (await isOfThisBuild(waiting)) === true;
  const workers = (isNext ? [waiting] : [active, waiting]).filter((worker) => worker !== null);
  const answers = await Promise.all(workers.map((worker) => askWorker(worker, { type: 'refresh' })));
  if (answers.length > 0 && answers.every(isComplete)) await Promise.all(before.map((name) => caches.delete(name)));
}

const isComplete = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'complete' in answer && answer.complete === true;
