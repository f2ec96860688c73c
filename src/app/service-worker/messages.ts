/**
 * Time without a response after which a worker counts as killed during the request, ms. Browsers do not report this.
 */
const WORKER_TIMEOUT_MS = 60_000;

/**
 * Service worker messages: sends a message to a worker and resolves with its response; with null if another worker
 * replaced it, or if it was killed during the request.
 */
export function queryWorker(worker: ServiceWorker, message: { readonly type: string; readonly path?: string }): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    setTimeout(() => resolve(null), WORKER_TIMEOUT_MS);
    const resolveIfReplaced = () => worker.state === 'redundant' && resolve(null);
    worker.addEventListener('statechange', resolveIfReplaced);
    resolveIfReplaced();
    worker.postMessage(message, [port2]);
  });
}

/** Waits until an installing worker is installed, or has failed. */
export function waitForInstall(worker: ServiceWorker | null): Promise<void> {
  return new Promise((resolve) => {
    if (worker === null || worker.state !== 'installing') return resolve();
    worker.addEventListener('statechange', () => resolve(), { once: true });
  });
}
