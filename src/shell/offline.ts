/** The service worker's path, of SPEC section 9. */
const WORKER = '/sw.js';

/** Registers the worker and, when it is ready, has every cache entry that was there before replaced. Never rejects. */
export async function startOffline(): Promise<void> {
  if (!navigator.onLine) sayOffline();
  window.addEventListener('offline', sayOffline);
  if (!('serviceWorker' in navigator)) return;
  let ready: ServiceWorkerRegistration;
  try {
    await navigator.serviceWorker.register(WORKER);
    ready = await navigator.serviceWorker.ready;
  } catch (error) {
    console.error('Error during service worker registration:', error);
    return;
  }
  if (ready.active !== null) await purge(ready.active).catch(() => {});
}

function sayOffline(): void {
  console.log('No internet connection found. App is running in offline mode.');
}

/**
 * SPEC deletes every cache entry when the worker is ready; the app must open offline all the same. So the worker first writes
 * a complete fresh copy of the shell under a new name; only when it says that this is done does everything older go.
 */
async function purge(worker: ServiceWorker): Promise<void> {
  const before = await caches.keys();
  if (await hasFreshCopy(worker)) await Promise.all(before.map((name) => caches.delete(name)));
}

/** Asks the worker for a fresh copy; true when it is complete. */
function hasFreshCopy(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(isComplete(data));
    };
    worker.postMessage({ type: 'refresh' }, [port2]);
  });
}

const isComplete = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'complete' in answer && answer.complete === true;
