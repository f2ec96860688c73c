// Optimistic updates of the user state by the reader: applied at once, then stored on the device, then sent by the outbox.

import type { LineupContents } from '../../../contract/lineup.ts';
import * as parse from '../../../contract/parse.ts';
import type { KeyUpdate } from '../../storage/key-value-store.ts';
import { KEPT_UNREAD_PREFIX, MARK_PREFIX, STAR_PREFIX } from '../offline/keys.ts';
import { tryParse } from '../offline/offline-store.ts';
import type { Change } from './change.ts';
import { isReadMarkerSet, starKey } from './user-state-storage.ts';
import { lineupUpdate, type UserStateParts } from './user-state-sync.ts';
import { applyChange } from './user-state-values.ts';

export interface UserStateChanges {
  setLineup(contents: LineupContents): void;
  /** `exact` may also move the read marker backwards; 0 removes it. */
  setReadMarker(channelId: string, messageId: number, exact: boolean): void;
  /** `at` is the time of the star, unix ms; null removes the star. */
  setStar(channelId: string, postId: number, at: number | null): void;
  /** `post` is the key of a post (`channelId/id`). */
  setKeptUnread(post: string, kept: boolean): void;
}

export function createUserStateChanges({ outbox, values, writes }: UserStateParts): UserStateChanges {
  function apply(change: Change, update: KeyUpdate): void {
    applyChange(values, change);
    const added = outbox?.add(change, update);
    void writes.add((store) => added ?? store.update(update), change.type === 'mark');
  }
  return {
    setLineup(next) {
      apply({ type: 'lineup', ...next, version: values.version }, lineupUpdate(values));
    },
    setReadMarker(channelId, messageId, exact) {
      const mark = { channelId, messageId };
      apply({ type: 'mark', ...mark, exact }, [
        MARK_PREFIX + channelId,
        (raw) => {
          if (!exact && (tryParse(parse.readMarker, raw)?.messageId ?? 0) > messageId) return raw;
          return isReadMarkerSet(mark) ? mark : undefined;
        },
      ]);
    },
    setKeptUnread(post, kept) {
      apply({ type: 'kept-unread', post, kept }, [KEPT_UNREAD_PREFIX + post, () => (kept ? post : undefined)]);
    },
    setStar(channelId, postId, at) {
      const star = { channelId, postId, at: at ?? 0 };
      apply({ type: 'star', ...star, starred: at !== null }, [
        STAR_PREFIX + starKey(star),
        () => (at === null ? undefined : star),
      ]);
    },
  };
}
