// Write support of the data layer: actions, user state and unread counts.
import { createActs } from '../mutations/actions.ts';
import { createReaderState } from '../mutations/user-state.ts';
import { createUnread } from '../queries/unread-counts.ts';

/** What lets a reader act; a foreign page is for looking, and does not load it. */
export const ACTING = { createActs, createReaderState, createUnread };
export type Acting = typeof ACTING;
