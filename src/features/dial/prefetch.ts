import type { DataClient } from '../../data/model/client.ts';

/** Maximum number of channels to prefetch. */
const MAX_CHANNELS = 40;

/**
 * Prefetch: loads the newest posts of channels one after the other, so that each channel of the dial shows its posts
 * without a delay. Stops when the signal aborts or the connection is lost. Does nothing if the browser saves data.
 */
export async function prefetchLatestPosts(dataClient: DataClient, ids: readonly string[], signal: AbortSignal): Promise<void> {
  if (isDataSaverOn()) return;
  for (const id of ids.slice(0, MAX_CHANNELS)) {
    if (signal.aborted || dataClient.connectivity.get() !== 'online') return;
    await waitUntilLoaded(dataClient.latestPosts(id), signal);
  }
}

/** Subscribes until the first data is loaded, or the signal aborts. Cached data is enough to show a channel. */
function waitUntilLoaded(latest: ReturnType<DataClient['latestPosts']>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      unsubscribe();
      resolve();
    };
    const check = () => latest.get().type !== 'loading' && finish();
    const unsubscribe = latest.subscribe(check);
    signal.addEventListener('abort', finish, { once: true });
    check();
  });
}

/** Returns true if the reader enabled the browser's data saver. */
const isDataSaverOn = (): boolean => {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true;
};
