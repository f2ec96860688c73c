// Loads the user state from the device and the server. Pending changes are applied on top.

import type { Lineup, LineupContents } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import * as parse from '../../../contract/parse.ts';
import type { KeyUpdate, KeyValueStore } from '../../storage/key-value-store.ts';
import type { Connection } from '../connection/connection.ts';
import { DEFAULT_LINEUP } from '../lineup/selectors.ts';
import { FIRST_SEEN_KEY, KEPT_UNREAD_PREFIX, LINEUP_KEY, MARK_PREFIX, STAR_PREFIX } from '../offline/keys.ts';
import type { OfflineStore } from '../offline/offline-store.ts';
import type { DeviceWrites } from './device-writes.ts';
import type { FirstSeen } from './first-seen.ts';
import type { Outbox } from './outbox.ts';
import {
  contentsOf,
  isReadMarkerSet,
  parseStoredLineup,
  readUserState,
  type StoredUserState,
  starKey,
  toReadMarkerEntry,
  toStar,
  toStoredReadMarker,
  toStoredStar,
} from './user-state-storage.ts';
import { applyChange, type UserStateValues } from './user-state-values.ts';

/** Parts of the user state that its functions share. */
export interface UserStateParts {
  readonly connection: Connection;
  readonly offline: OfflineStore;
  /** Null for an anonymous reader, whose changes are only stored on the device. */
  readonly outbox: Outbox | null;
  readonly values: UserStateValues;
  readonly writes: DeviceWrites;
  readonly firstSeen: FirstSeen;
}

/** Replaces the values in memory by a state, and applies the pending changes on top. */
function replaceValues({ values, outbox, firstSeen }: UserStateParts, state: StoredUserState): void {
  const { lineup, readMarkers, stars, keptUnread } = values;
  values.version = state.lineup?.version ?? values.version;
  lineup.set(state.lineup && contentsOf(state.lineup));
  // Without a line-up, the server's markers are not loaded yet.
  const defaults = outbox === null || state.lineup !== null ? firstSeen.markers() : [];
  readMarkers.set(new Map([...defaults, ...state.marks.filter(isReadMarkerSet).map(toReadMarkerEntry)]));
  stars.set(new Map(state.stars.map((star) => [starKey(star), star.at])));
  keptUnread.set(new Set(state.keptUnread));
  for (const change of outbox?.pending() ?? [])
    applyChange(
      values,
      change.type === 'lineup' ? { type: 'lineup', ...mergeLineups(lineup.get() ?? DEFAULT_LINEUP, contentsOf(change)) } : change,
    );
}

/** Loads the stored state at the start. Changes made before it was loaded are applied on top of it. */
export async function loadUserState(parts: UserStateParts): Promise<void> {
  const { connection, offline, outbox, values, firstSeen } = parts;
  const { lineup, readMarkers, stars, keptUnread } = values;
  const [{ reader }] = await Promise.all([offline.storage, outbox?.load()]);
  const [state, storedFirstSeen] = await Promise.all([readUserState(reader), reader.get(FIRST_SEEN_KEY)]);
  if (connection.isClosed()) return;
  firstSeen.load(storedFirstSeen);
  const early = { lineup: lineup.get(), marks: readMarkers.get() };
  replaceValues(parts, {
    ...state,
    stars: [...state.stars, ...[...stars.get()].map(toStar)],
    keptUnread: [...state.keptUnread, ...keptUnread.get()],
  });
  if (lineup.get() === null && outbox === null) lineup.set(DEFAULT_LINEUP);
  if (early.lineup !== null) lineup.set(early.lineup);
  const newerMarks = [...early.marks].filter(([channelId, messageId]) => messageId > (readMarkers.get().get(channelId) ?? 0));
  readMarkers.set(new Map([...readMarkers.get(), ...newerMarks]));
}

/** Loads the state that another tab wrote to the device. Waits for this tab's own writes first. */
export async function reloadUserState(parts: UserStateParts): Promise<void> {
  const { connection, offline, outbox, values, writes } = parts;
  const { reader } = await offline.storage;
  let ownWrites = writes.written();
  let state: StoredUserState;
  do {
    ownWrites = writes.written();
    await Promise.all([ownWrites, outbox?.load()]);
    state = await readUserState(reader);
  } while (ownWrites !== writes.written());
  const current = values.lineup.get();
  if (connection.isClosed()) return;
  replaceValues(parts, { ...state, lineup: state.lineup ?? (current && { ...current, version: values.version }) });
}

/** Replaces the state by the server's, in memory and on the device. */
export function applyServerState(parts: UserStateParts, state: StoredUserState): void {
  replaceValues(parts, state);
  const { values, writes, firstSeen } = parts;
  const { lineup, readMarkers, stars, keptUnread } = values;
  // The written state contains the pending changes: the server's state does not include them yet, and it replaces all
  // stored entries.
  const write = (store: KeyValueStore) =>
    store.put(
      [
        [LINEUP_KEY, { ...lineup.get(), version: values.version }],
        ...[...readMarkers.get()].flatMap(([channelId, messageId]) =>
          firstSeen.markers().get(channelId) === messageId ? [] : [toStoredReadMarker({ channelId, messageId })],
        ),
        ...[...stars.get()].map(toStar).map(toStoredStar),
        ...[...keptUnread.get()].map((key) => [KEPT_UNREAD_PREFIX + key, key] as const),
      ],
      [MARK_PREFIX, STAR_PREFIX, KEPT_UNREAD_PREFIX],
    );
  void writes.add(write, true);
}

/** Merges the line-up that the server returned after it saved a change. */
export function mergeAcceptedLineup({ values, writes }: UserStateParts, accepted: Lineup): void {
  const { lineup, lastMerge } = values;
  const before = lineup.get() ?? DEFAULT_LINEUP;
  values.version = accepted.version;
  const after = mergeLineups(contentsOf(accepted), before);
  lineup.set(after);
  if (!isSameLineup(before, after)) lastMerge.set({ before, after });
  void writes.add((store) => store.update(lineupUpdate(values)), false);
}

/** Compares line-ups as JSON. The parser gives both the same order of fields. */
const isSameLineup = (one: LineupContents, other: LineupContents): boolean => {
  const [oneJson, otherJson] = [one, other].map((contents) => JSON.stringify(parse.lineupContents(contents, '')));
  return oneJson === otherJson;
};

/** Returns the write of the current line-up, merged with what another tab may have written in the meantime. */
export const lineupUpdate = (values: UserStateValues): KeyUpdate => [
  LINEUP_KEY,
  (raw): Lineup => {
    const stored = parseStoredLineup(raw) ?? { ...DEFAULT_LINEUP, version: 0 };
    const contents = mergeLineups(contentsOf(stored), values.lineup.get() ?? DEFAULT_LINEUP);
    return { ...contents, version: Math.max(stored.version, values.version) };
  },
];
