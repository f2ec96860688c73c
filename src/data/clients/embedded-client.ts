import type { ChannelsApi } from '../../api/channels-api.ts';
import { createMemoryStorage } from '../../storage/memory-storage.ts';
import type { DataClient } from '../model/client.ts';
import { createEmptyUserState } from '../mutations/empty-state.ts';
import { createDataClient } from './create-client.ts';

/**
 * If a third-party page was hidden for longer than this time, its data is refetched when the page is visible again, ms. Equal
 * to the lifetime of cached responses.
 */
const STALE_AFTER_MS = 300_000;

/**
 * Creates the data layer of a tag on a third-party page. It has no sign-in, stores nothing beyond the page, and opens no
 * event stream for a page that is not ours. Displayed data is refetched when the reader returns to the page.
 */
export function createEmbeddedClient(api: ChannelsApi): DataClient {
  const client = createReadOnlyClient(api);
  let hiddenAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > STALE_AFTER_MS) void client.refresh();
  });
  return client;
}

/** Creates the same data layer without visibility handling, for server-side rendering of a tag. */
export const createReadOnlyClient = (api: ChannelsApi) =>
  createDataClient({ api, storage: createMemoryStorage() }, null, { createUserState: createEmptyUserState }, null);
