/** One that says nothing for so long was killed over it, which no browser tells, ms. */
const SILENCE = 60_000;

/** Asks a worker something and gives its answer; null from one whose place another has taken, or that was killed over it. */
export function askWorker(worker: ServiceWorker, question: { readonly type: string; readonly path?: string }): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    setTimeout(() => resolve(null), SILENCE);
    const end = () => worker.state === 'redundant' && resolve(null);
    worker.addEventListener('statechange', end);
    end();
    worker.postMessage(question, [port2]);
  });
}

/** Waits until a worker that is being installed is, or has failed. */
export function installed(worker: ServiceWorker | null): Promise<void> {
  return new Promise((resolve) => {
    if (worker === null || worker.state !== 'installing') return resolve();
    worker.addEventListener('statechange', () => resolve(), { once: true });
  });
}
