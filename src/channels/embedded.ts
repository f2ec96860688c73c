import type { Api } from '../api/api.ts';
import { memoryKept } from '../kept/memory.ts';
import { createArea } from './area.ts';
import type { Channels } from './channels.ts';

/** Makes the data area of a tag on a foreign page: nobody signs in, and nothing is kept beyond the page. */
export function createEmbeddedChannels(api: Api): Channels {
  return createArea({ api, kept: memoryKept() }, null, null, null);
}
