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
    const timer = setTimeout(() => settle(null), WORKER_TIMEOUT_MS);
    function settle(response: unknown): void {
      clearTimeout(timer);
      worker.removeEventListener('statechange', settleIfReplaced);
      port1.close();
      resolve(response);
    }
    function settleIfReplaced(): void {
      if (worker.state === 'redundant') settle(null);
    }
    port1.onmessage = ({ data }) => settle(data);
    worker.addEventListener('statechange', settleIfReplaced);
    settleIfReplaced();
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
