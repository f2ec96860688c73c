// Write support of the data layer: actions, user state and unread counts.
import { createActs } from './acts.ts';
import { createReaderState } from './reader-state.ts';
import { createUnread } from './unread.ts';

/** What lets a reader act; a foreign page is for looking, and does not load it. */
export const ACTING = { createActs, createReaderState, createUnread };
export type Acting = typeof ACTING;
