import type { Api } from '../../api/channels-api.ts';
import { memoryKept } from '../../storage/memory-storage.ts';
import type { Channels } from '../model/client.ts';
import { inertState } from '../mutations/empty-state.ts';
import { createArea } from './create-client.ts';

/** A foreign page that was not looked at for so long is read anew, ms: as long as answers are held. */
const STALE = 300_000;

/**
 * Makes the data area of a tag on a foreign page: nobody signs in, nothing is kept beyond the page, and no stream is held open
 * for a page that is not ours; what is shown is read anew when the reader comes back to it.
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

/** The same without a page that the reader could come back to: what a server draws of a tag. */
export const createNobodysChannels = (api: Api) =>
  createArea({ api, kept: memoryKept() }, null, { createReaderState: inertState }, null);
