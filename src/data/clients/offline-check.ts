import { ApiError } from '../../api/api-error.ts';
import { createApi } from '../../api/channels-api.ts';
import type { Client } from '../../api/types.ts';
import type { Readable } from '../../lib/signal.ts';
import { openKept } from '../../storage/device-storage.ts';
import type { Loadable } from '../model/types.ts';
import { createChannels } from './account-client.ts';

/** Result of an offline check: a post is available, only channels are, or nothing is. */
export type Drill =
  | { readonly type: 'post'; readonly channel: string }
  | { readonly type: 'channels' }
  | { readonly type: 'nothing' };

const NO_NETWORK: Client = {
  get: () => Promise.reject(new ApiError('No response received', null)),
  write: () => Promise.reject(new ApiError('No response received', null)),
  forget() {},
};

/**
 * Offline check: reads a post as the app would without a network, through a separate data layer whose every request fails.
 */
export async function drillOffline(readerId: string | null): Promise<Drill> {
  const area = createChannels({ api: createApi(NO_NETWORK), kept: openKept(readerId), readerId });
  try {
    area.signInFailed();
    const rows = await settled(area.lineup);
    if (rows === null || rows.length === 0) return { type: 'nothing' };
    for (const row of rows) {
      const posts = await settled(area.latest(row.channel.id));
      if (posts !== null && posts.length > 0) return { type: 'post', channel: row.channel.title };
    }
    return { type: 'channels' };
  } finally {
    area.close();
  }
}

/** Resolves with the loaded value, or with null if loading fails. */
function settled<Value>(readable: Readable<Loadable<Value>>): Promise<Value | null> {
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
