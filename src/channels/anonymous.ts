import { createActs } from './acts.ts';
import { type Area, type AreaOptions, createArea } from './area.ts';
import { createReaderState } from './reader-state.ts';
import { createUnread } from './unread.ts';

/** What lets a reader act; a foreign page is for looking, and does not load it. */
export const ACTING = { createActs, createReaderState, createUnread };
export type Acting = typeof ACTING;

/** Makes the data area of a reader without an account: what is done stays on the device. Nothing is asked for until it is shown. */
export function createAnonymousChannels(options: AreaOptions): Area {
  return createArea(options, null, ACTING, null);
}
