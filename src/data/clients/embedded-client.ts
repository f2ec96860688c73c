import type { Api } from '../../api/channels-api.ts';
import { memoryKept } from '../../storage/memory-storage.ts';
import type { Channels } from '../model/client.ts';
import { inertState } from '../mutations/empty-state.ts';
import { createArea } from './create-client.ts';

/**
 * A third-party page that was hidden for longer is refetched when visible again, ms. Equal to the lifetime of cached
 * responses.
 */
const STALE = 300_000;

/**
 * Creates the data layer of a tag on a third-party page. It has no sign-in, stores nothing beyond the page, and opens no
 * event stream for a page that is not ours. Displayed data is refetched when the reader returns to the page.
 */
export function createEmbeddedChannels(api: Api): Channels {
  const area = createNobodysChannels(api);
  let left = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') left = Date.now();
    else if (Date.now() - left > STALE) void area.refresh();
  });
  return area;
}

/** Creates the same data layer without visibility handling, for server-side rendering of a tag. */
export const createNobodysChannels = (api: Api) =>
  createArea({ api, kept: memoryKept() }, null, { createReaderState: inertState }, null);
