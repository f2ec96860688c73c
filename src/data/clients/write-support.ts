// Write support of the data layer: actions, user state and unread counts.
import { createActs } from '../mutations/actions.ts';
import { createReaderState } from '../mutations/user-state.ts';
import { createUnread } from '../queries/unread-counts.ts';

/** Factories that the reader's actions need. A third-party page is read-only and does not load them. */
export const ACTING = { createActs, createReaderState, createUnread };
export type Acting = typeof ACTING;
