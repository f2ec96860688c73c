import { ApiError } from '../../api/api-error.ts';
import { createChannelsApi } from '../../api/channels-api.ts';
import type { HttpClient } from '../../api/types.ts';
import type { Signal } from '../../lib/signal.ts';
import { openDeviceStorage } from '../../storage/device-storage.ts';
import type { Loadable } from '../model/types.ts';
import { createAccountClient } from './account-client.ts';

/** Result of an offline check: a post with the title of its channel, only channels, or nothing is available. */
export type OfflineCheckResult =
  | { readonly type: 'post'; readonly channel: string }
  | { readonly type: 'channels' }
  | { readonly type: 'nothing' };

/** HTTP client that fails like one without a network. */
const OFFLINE_HTTP_CLIENT: HttpClient = {
  get: () => Promise.reject(new ApiError('No response received', null)),
  write: () => Promise.reject(new ApiError('No response received', null)),
  clearCache() {},
};

/**
 * Offline check: reads a post as the app would without a network, through a separate data layer whose every request fails.
 */
export async function checkOffline(readerId: string | null): Promise<OfflineCheckResult> {
  const client = createAccountClient({
    api: createChannelsApi(OFFLINE_HTTP_CLIENT),
    storage: openDeviceStorage(readerId),
    readerId,
  });
  try {
    client.signInFailed();
    const rows = await waitUntilLoaded(client.lineup);
    if (rows === null || rows.length === 0) return { type: 'nothing' };
    for (const row of rows) {
      const posts = await waitUntilLoaded(client.latestPosts(row.channel.id));
      if (posts !== null && posts.length > 0) return { type: 'post', channel: row.channel.title };
    }
    return { type: 'channels' };
  } finally {
    client.close();
  }
}

/** Resolves with the loaded value, or with null if loading fails. */
function waitUntilLoaded<Value>(signal: Signal<Loadable<Value>>): Promise<Value | null> {
  return new Promise((resolve) => {
    const check = () => {
      const state = signal.get();
      if (state.type === 'loading') return;
      stop();
      resolve(state.type === 'loaded' ? state.value : null);
    };
    const stop = signal.subscribe(check);
    // The value may be loaded already, without a later notification.
    queueMicrotask(check);
  });
}
