import type { DataClient } from '../../data/model/client.ts';

/** Maximum number of channels to prefetch. */
const MAX_CHANNELS = 40;

/**
 * Prefetch: loads the newest posts of channels one after the other, so that every number shows its posts at once. Stops when
 * the signal aborts or the connection is lost.
 */
export async function prefetchLatestPosts(dataClient: DataClient, ids: readonly string[], signal: AbortSignal): Promise<void> {
  if (savesData()) return;
  for (const id of ids.slice(0, MAX_CHANNELS)) {
    if (signal.aborted || dataClient.connectivity.get() !== 'online') return;
    await waitUntilLoaded(dataClient.latestPosts(id), signal);
  }
}

/** Subscribes without rendering until the first data is present; cached data is enough to show a channel. */
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

/** Returns true if the reader asked the browser to save data. */
const savesData = (): boolean => {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true;
};
