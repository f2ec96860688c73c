import { ApiError } from '../../api/api-error.ts';
import { createChannelsApi } from '../../api/channels-api.ts';
import type { HttpClient } from '../../api/types.ts';
import type { Signal } from '../../lib/signal.ts';
import { openDeviceStorage } from '../../storage/device-storage.ts';
import type { Loadable } from '../model/types.ts';
import { createAccountClient } from './account-client.ts';

/** Result of an offline check: a post is available, only channels are, or nothing is. */
export type OfflineCheckResult =
  | { readonly type: 'post'; readonly channel: string }
  | { readonly type: 'channels' }
  | { readonly type: 'nothing' };

const OFFLINE_HTTP_CLIENT: HttpClient = {
  get: () => Promise.reject(new ApiError('No response received', null)),
  write: () => Promise.reject(new ApiError('No response received', null)),
  clearCache() {},
};

/**
 * Offline check: reads a post as the app would without a network, through a separate data layer whose every request fails.
 */
export async function checkOffline(readerId: string | null): Promise<OfflineCheckResult> {
  const area = createAccountClient({
    api: createChannelsApi(OFFLINE_HTTP_CLIENT),
    storage: openDeviceStorage(readerId),
    readerId,
  });
  try {
    area.signInFailed();
    const rows = await waitUntilLoaded(area.lineup);
    if (rows === null || rows.length === 0) return { type: 'nothing' };
    for (const row of rows) {
      const posts = await waitUntilLoaded(area.latestPosts(row.channel.id));
      if (posts !== null && posts.length > 0) return { type: 'post', channel: row.channel.title };
    }
    return { type: 'channels' };
  } finally {
    area.close();
  }
}

/** Resolves with the loaded value, or with null if loading fails. */
function waitUntilLoaded<Value>(readable: Signal<Loadable<Value>>): Promise<Value | null> {
  return new Promise((resolve) => {
    const look = () => {
      const now = readable.get();
      if (now.type === 'loading') return;
      stop();
      resolve(now.type === 'loaded' ? now.value : null);
    };
    const stop = readable.subscribe(look);
    queueMicrotask(look);
  });
}
