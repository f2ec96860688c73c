import type { Cell } from '../readable.ts';
import { workerAddress } from '../trusted.ts';
import { askWorker, installed } from './ask-worker.ts';
import { followBuilds, followParts } from './newer-build.ts';

/**
 * Registers the worker and, when it is ready, has every cache entry that was there before replaced. `newer` turns true when
 * another build than this page's is to be had by a reload. Never rejects.
 */
export async function startOffline(newer: Cell<boolean>): Promise<void> {
  if (!navigator.onLine) sayOffline();
  window.addEventListener('offline', sayOffline);
  const tell = () => newer.set(true);
  followParts(tell);
  if (!('serviceWorker' in navigator)) return;
  let ready: ServiceWorkerRegistration;
  try {
    followBuilds(await navigator.serviceWorker.register(workerAddress()), tell);
    ready = await navigator.serviceWorker.ready;
  } catch (error) {
    console.error('Error during service worker registration:', error);
    return;
  }
  const { serviceWorker } = navigator;
  // One after the other in all tabs: what one writes meanwhile, another would not have noted.
  const clear = () => navigator.locks.request('changer-purge', () => purge(ready)).catch(() => {});
  // A new build takes over a moment after the page that asked for it has come: what the former one kept goes then.
  if (serviceWorker.controller !== null) serviceWorker.addEventListener('controllerchange', clear);
  await clear();
}

function sayOffline(): void {
  console.log('No internet connection found. App is running in offline mode.');
}

/**
 * SPEC deletes every cache entry when the worker is ready; the app must open offline all the same. So the worker first writes
 * a complete fresh copy of the shell under a new name, and so does one that waits with a new build; only when they say that
 * this is done does everything older go. What is still being installed would be deleted half-written, and waited for in vain.
 */
async function purge(registration: ServiceWorkerRegistration): Promise<void> {
  await installed(registration.installing);
  const before = await caches.keys();
  const workers = [registration.active, registration.waiting].filter((worker) => worker !== null);
  const answers = await Promise.all(workers.map((worker) => askWorker(worker, { type: 'refresh' })));
  if (answers.length > 0 && answers.every(isComplete)) await Promise.all(before.map((name) => caches.delete(name)));
}

const isComplete = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'complete' in answer && answer.complete === true;
