// Write support of the data layer: actions, user state and unread counts.
import { createActions } from '../mutations/actions.ts';
import { createUserState } from '../mutations/user-state.ts';
import { createUnreadCounts } from '../queries/unread-counts.ts';

/** Factories that the reader's actions need. A third-party page is read-only and does not load them. */
export const writeSupport = { createActions, createUserState, createUnreadCounts };
export type WriteSupport = typeof writeSupport;
