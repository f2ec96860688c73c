// Changes of the reader that the server must receive: their types, stored format, and how a later one replaces an
// earlier one.

import type { LineupChange } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import * as parse from '../../../contract/parse.ts';
import { boolean, number, oneOf, optional, type Parse, shape, string } from '../../../contract/shape.ts';
import type { KeyUpdate } from '../../storage/key-value-store.ts';
import type { PendingChanges } from '../model/types.ts';

/** A change of the reader that the server must receive. */
export type Change =
  | ({ readonly type: 'lineup' } & Readonly<LineupChange>)
  /** `exact` may also move the read marker backwards. */
  | { readonly type: 'mark'; readonly channelId: string; readonly messageId: number; readonly exact: boolean }
  /** `post` is the key of a post (`channelId/id`). */
  | { readonly type: 'kept-unread'; readonly post: string; readonly kept: boolean }
  | {
      readonly type: 'star';
      readonly channelId: string;
      readonly postId: number;
      readonly at: number;
      readonly starred: boolean;
    };

/**
 * A pending change with its sequence number, which is also its idempotency key. The number is the time of the change plus a
 * random fraction of a millisecond, so that no two devices use the same one. A later change of the same item replaces the
 * earlier one.
 */
export interface PendingChange {
  /** Sequence number. */
  readonly turn: number;
  readonly change: Change;
  /** Number of line-up changes that were combined into this one; 1 if absent. */
  readonly acts?: number | undefined;
}

/** Returns the key of a pending change: the key of the stored state that it updates. */
export function entityKey(change: Change, [stateKey]: KeyUpdate): string {
  // A marker moved backwards has its own key. A later forward move does not replace it, because the server may have
  // applied it already.
  return change.type === 'mark' && change.exact ? `back/${change.channelId}` : stateKey;
}

/**
 * Combines a change with the pending one that it replaces. Another tab may have written `previous`, so all of it is
 * preserved.
 */
export function coalesceChange(previous: Change | undefined, change: Change): Change {
  if (previous?.type === 'lineup' && change.type === 'lineup')
    return { ...change, ...mergeLineups(previous, change), version: Math.min(previous.version ?? 0, change.version ?? 0) };
  if (previous?.type === 'mark' && change.type === 'mark' && !change.exact)
    return { ...change, messageId: Math.max(previous.messageId, change.messageId) };
  return change;
}

export function toPendingChanges(pending: readonly PendingChange[]): PendingChanges {
  const count = pending.reduce((sum, { acts = 1 }) => sum + acts, 0);
  const onlyReadMarkers = pending.every(({ change }) => change.type === 'mark');
  return { type: 'waiting', count, ...(onlyReadMarkers && { onlyReadMarkers }) };
}

type ChangeType = Change['type'];

/** Parsers of the fields of each type of change, without `type`. */
const CHANGE_PARSERS: { readonly [Type in ChangeType]: Parse<Omit<Extract<Change, { type: Type }>, 'type'>> } = {
  lineup: parse.lineupChange,
  mark: shape({ channelId: string, messageId: number, exact: boolean }),
  'kept-unread': shape({ post: string, kept: boolean }),
  star: shape({ channelId: string, postId: number, at: number, starred: boolean }),
};

const parseChangeType = shape<{ type: ChangeType }>({ type: oneOf<ChangeType>(CHANGE_PARSERS) });

function parseChange(raw: unknown, at: string): Change {
  const { type } = parseChangeType(raw, at);
  // The cast is safe: the parser of this type has validated the fields.
  return { ...CHANGE_PARSERS[type](raw, at), type } as Change;
}

export const parsePendingChange = shape<PendingChange>({ turn: number, acts: optional(number), change: parseChange });
