// User state: line-up, read markers, stars and kept-unread posts, stored on the device and synchronized through the outbox.

import type { DeviceState, ReadMarker, Star } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Lineup, LineupContents } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import * as parse from '../../../contract/parse.ts';
import { list } from '../../../contract/shape.ts';
import { createSignal, type Signal, type WritableSignal } from '../../lib/signal.ts';
import type { KeyUpdate, KeyValueStore } from '../../storage/key-value-store.ts';
import type { Connection } from '../connection/connection.ts';
import { DEFAULT_LINEUP } from '../lineup/selectors.ts';
import type { SyncStatus } from '../model/types.ts';
import { type OfflineStore, tryParse } from '../offline/offline-store.ts';
import type { Change, Outbox } from './outbox.ts';

/**
 * A reader's line-up, read markers, stars and kept-unread posts. Changes are stored on the device at once; the outbox sends
 * them to the server.
 */
export interface UserState {
  /** Null until the device and, for a signed-in reader, the server have been read. */
  readonly lineup: Signal<LineupContents | null>;
  /**
   * Read markers. Without a marker, a channel counts as read up to its newest post when this device first saw it: a new
   * reader has no unread history.
   */
  readonly readMarkers: Signal<ReadonlyMap<string, number>>;
  /** Stores the newest post of each channel that this device sees for the first time. */
  recordFirstSeen(channels: readonly Channel[]): void;
  /** Time when each post was starred, unix ms, by post key. */
  readonly stars: Signal<ReadonlyMap<string, number>>;
  /** Keys of posts that remain unread although the channel's read marker has passed them. */
  readonly keptUnread: Signal<ReadonlySet<string>>;
  /** Resolves when the stored state has been loaded from the device. */
  readonly loaded: Promise<void>;
  setLineup(contents: LineupContents): void;
  setReadMarker(channelId: string, messageId: number, exact: boolean): void;
  setStar(channelId: string, postId: number, at: number | null): void;
  /** `post` is the key of a post (`channelId/id`). */
  setKeptUnread(post: string, kept: boolean): void;
  /** Replaces the state by the server's. Pending changes are applied on top. */
  applyServerState(told: StoredState & { readonly lineup: Lineup }): void;
  /** Reports if all changes are stored on the device. */
  readonly syncStatus: Signal<SyncStatus>;
  /** Counts writes to the device. After each one, the reader's other tabs must read the state again. */
  readonly writeCount: Signal<number>;
  /** Loads the state that another tab wrote to the device. */
  reloadFromStorage(): Promise<void>;
  /** Merges the line-up that the server returned after it saved a change. */
  lineupAccepted(held: Lineup): void;
  /** The line-up before and after another device's changes were merged into it; null after the notice is acknowledged. */
  readonly lastMerge: WritableSignal<{ readonly before: LineupContents; readonly after: LineupContents } | null>;
  /** Shows the default line-up, where none is known and the server will not send one. */
  applyDefaultIfUnknown(): void;
}

const LINEUP_KEY = 'lineup';
const MARK_PREFIX = 'mark/';
const STAR_PREFIX = 'star/';
const KEPT_UNREAD_PREFIX = 'kept-unread/';
/** Store key of the newest post of each channel when this device first saw it. */
const FIRST_SEEN_KEY = 'first-seen';
const parseFirstSeen = list(parse.readMarker);

/** State from the device or the server. The line-up is null where it is unknown. */
interface StoredState {
  readonly lineup: Lineup | null;
  readonly marks: readonly ReadMarker[];
  readonly stars: readonly Star[];
  readonly keptUnread: readonly string[];
}

/** Parses a stored line-up. A previous version stored only its entries. */
function parseStoredLineup(raw: unknown): Lineup | null {
  const entries = tryParse(list(parse.lineupEntry), raw);
  return entries === null ? tryParse(parse.lineup, raw) : { entries, version: 0 };
}

async function readUserState(shelf: KeyValueStore): Promise<StoredState> {
  const [lineup, marks, stars, keptUnread] = await Promise.all([
    shelf.get(LINEUP_KEY),
    shelf.list(MARK_PREFIX),
    shelf.list(STAR_PREFIX),
    shelf.list(KEPT_UNREAD_PREFIX),
  ]);
  return {
    lineup: parseStoredLineup(lineup),
    marks: marks.flatMap(([, raw]) => tryParse(parse.readMarker, raw) ?? []),
    stars: stars.flatMap(([, raw]) => tryParse(parse.star, raw) ?? []),
    keptUnread: keptUnread.map(([, key]) => String(key)),
  };
}

/** Returns a store's state of a reader, in the format in which a device merges it into an account. */
export async function readDeviceState(shelf: KeyValueStore): Promise<Required<DeviceState>> {
  const { lineup, marks, stars, keptUnread } = await readUserState(shelf);
  const { entries, presets = [] } = lineup ?? DEFAULT_LINEUP;
  return { entries, presets, marks: [...marks], stars: [...stars], keptUnread: [...keptUnread] };
}

const starKey = ({ channelId, postId }: Pick<Star, 'channelId' | 'postId'>): string => `${channelId}/${postId}`;

export interface UserStateOptions {
  readonly connection: Connection;
  readonly offline: OfflineStore;
  /** Null for an anonymous reader, whose changes are only stored on the device. */
  readonly outbox: Outbox | null;
}

export function createUserState({ connection: link, offline: device, outbox }: UserStateOptions): UserState {
  const lineup = createSignal<LineupContents | null>(null);
  const merge = createSignal<{ readonly before: LineupContents; readonly after: LineupContents } | null>(null);
  /** Version of the line-up that the server last returned. */
  let version = 0;
  const marks = createSignal<ReadonlyMap<string, number>>(new Map());
  let first: ReadonlyMap<string, number> = new Map();
  const stars = createSignal<ReadonlyMap<string, number>>(new Map());
  const keptUnread = createSignal<ReadonlySet<string>>(new Set());

  const saving = createSignal<SyncStatus>({ type: 'saved' });
  const written = createSignal(0);
  let unwritten = 0;
  /** Number of unwritten changes that are not read markers. */
  let unwrittenOthers = 0;
  let writing: Promise<unknown> = Promise.resolve();

  const updateSaving = (): void =>
    saving.set(
      unwritten === 0
        ? { type: 'saved' }
        : { type: 'waiting', count: unwritten, ...(unwrittenOthers === 0 && { onlyReadMarkers: true }) },
    );
  async function keep(write: (shelf: KeyValueStore) => Promise<unknown>, isReadMarker: boolean): Promise<void> {
    if (link.isClosed()) return;
    unwritten++;
    if (!isReadMarker) unwrittenOthers++;
    updateSaving();
    const done = device.storage.then(({ reader }) => write(reader));
    writing = Promise.all([writing, done]);
    await done;
    await (await device.storage).lateOpen?.catch(() => {});
    unwritten--;
    if (!isReadMarker) unwrittenOthers--;
    updateSaving();
    written.set(written.get() + 1);
  }
  function put(change: Change): void {
    if (change.type === 'lineup') lineup.set(contentsOf(change));
    else if (change.type === 'mark') {
      const next = new Map(marks.get());
      const messageId = Math.max(change.messageId, change.exact ? 0 : (next.get(change.channelId) ?? 0));
      marks.set(next.set(change.channelId, messageId));
    } else if ('post' in change) {
      const next = new Set(keptUnread.get());
      next[change.kept ? 'add' : 'delete'](change.post);
      keptUnread.set(next);
    } else {
      const next = new Map(stars.get());
      if (change.starred) next.set(starKey(change), change.at);
      else next.delete(starKey(change));
      stars.set(next);
    }
  }
  function take(state: StoredState): void {
    version = state.lineup?.version ?? version;
    lineup.set(state.lineup && contentsOf(state.lineup));
    // Without a line-up, the server's markers are not loaded yet.
    const known = outbox === null || state.lineup !== null ? first : [];
    marks.set(new Map([...known, ...state.marks.filter(isMarkSet).map(markEntry)]));
    stars.set(new Map(state.stars.map((star) => [starKey(star), star.at])));
    keptUnread.set(new Set(state.keptUnread));
    for (const change of outbox?.pending() ?? [])
      put(
        change.type === 'lineup'
          ? { type: 'lineup', ...mergeLineups(lineup.get() ?? DEFAULT_LINEUP, contentsOf(change)) }
          : change,
      );
  }
  function act(change: Change, slot: KeyUpdate): void {
    put(change);
    const added = outbox?.add(change, slot);
    void keep((shelf) => added ?? shelf.update(slot), change.type === 'mark');
  }

  const readFirst = (): void => marks.set(new Map([...first, ...marks.get()]));
  /** Channels that were seen before the stored state was loaded; null afterwards. */
  let early: readonly Channel[] | null = [];
  function meet(channels: readonly Channel[]): void {
    if (early !== null) early = [...early, ...channels];
    const fresh = channels.flatMap(({ id, latest }) => (first.has(id) ? [] : [[id, latest?.id ?? 0] as const]));
    if (early !== null || fresh.length === 0 || link.isClosed()) return;
    first = new Map([...fresh, ...first]);
    if (lineup.get() !== null) readFirst();
    const seen: ReadMarker[] = [...first].map(([channelId, messageId]) => ({ channelId, messageId }));
    void device.storage.then(({ reader }) => reader.put([[FIRST_SEEN_KEY, seen]]));
  }

  async function load(): Promise<void> {
    const [{ reader }] = await Promise.all([device.storage, outbox?.load()]);
    const [state, seen] = await Promise.all([readUserState(reader), reader.get(FIRST_SEEN_KEY)]);
    if (link.isClosed()) return;
    first = new Map(tryParse(parseFirstSeen, seen)?.map(markEntry));
    const channels = early ?? [];
    early = null;
    meet(channels);
    // Changes made before the stored state was loaded are applied on top of it.
    const before = { lineup: lineup.get(), marks: marks.get() };
    take({
      ...state,
      stars: [...state.stars, ...[...stars.get()].map(parseStarEntry)],
      keptUnread: [...state.keptUnread, ...keptUnread.get()],
    });
    if (lineup.get() === null && outbox === null) lineup.set(DEFAULT_LINEUP);
    if (before.lineup !== null) lineup.set(before.lineup);
    const further = [...before.marks].filter(([channelId, messageId]) => messageId > (marks.get().get(channelId) ?? 0));
    marks.set(new Map([...marks.get(), ...further]));
  }
  const loaded = load();

  async function reread(): Promise<void> {
    await loaded;
    const { reader } = await device.storage;
    let before = writing;
    let state: StoredState;
    do {
      before = writing;
      await Promise.all([before, outbox?.load()]);
      state = await readUserState(reader);
    } while (before !== writing);
    const present = lineup.get();
    if (!link.isClosed()) take({ ...state, lineup: state.lineup ?? (present && { ...present, version }) });
  }

  /** Writes the current line-up, merged with what another tab may have written since. */
  const lineupSlot: KeyUpdate = [
    LINEUP_KEY,
    (raw): Lineup => {
      const held = parseStoredLineup(raw) ?? { ...DEFAULT_LINEUP, version: 0 };
      return { ...mergeLineups(contentsOf(held), lineup.get() ?? DEFAULT_LINEUP), version: Math.max(held.version, version) };
    },
  ];

  return {
    lineup,
    lastMerge: merge,
    recordFirstSeen: meet,
    readMarkers: marks,
    stars,
    keptUnread,
    loaded,
    syncStatus: saving,
    writeCount: written,
    reloadFromStorage: reread,
    applyServerState(told) {
      take(told);
      // The written state contains the pending changes: the server's state does not include them yet, and it replaces all
      // stored entries.
      const write = (shelf: KeyValueStore) =>
        shelf.put(
          [
            [LINEUP_KEY, { ...lineup.get(), version }],
            ...[...marks.get()].flatMap(([channelId, messageId]) =>
              first.get(channelId) === messageId ? [] : [toMarkEntry({ channelId, messageId })],
            ),
            ...[...stars.get()].map(parseStarEntry).map(toStarEntry),
            ...[...keptUnread.get()].map((key) => [KEPT_UNREAD_PREFIX + key, key] as const),
          ],
          [MARK_PREFIX, STAR_PREFIX, KEPT_UNREAD_PREFIX],
        );
      void keep(write, true);
    },
    applyDefaultIfUnknown() {
      if (lineup.get() !== null) return;
      lineup.set(DEFAULT_LINEUP);
      readFirst();
    },
    lineupAccepted(held) {
      const before = lineup.get() ?? DEFAULT_LINEUP;
      version = held.version;
      const after = mergeLineups(contentsOf(held), before);
      lineup.set(after);
      if (!isSameLineup(before, after)) merge.set({ before, after });
      void keep((shelf) => shelf.update(lineupSlot), false);
    },
    setLineup(next) {
      act({ type: 'lineup', ...next, version }, lineupSlot);
    },
    setReadMarker(channelId, messageId, exact) {
      const mark = { channelId, messageId };
      act({ type: 'mark', ...mark, exact }, [
        MARK_PREFIX + channelId,
        (raw) => {
          if (!exact && (tryParse(parse.readMarker, raw)?.messageId ?? 0) > messageId) return raw;
          return isMarkSet(mark) ? mark : undefined;
        },
      ]);
    },
    setKeptUnread(post, kept) {
      act({ type: 'kept-unread', post, kept }, [KEPT_UNREAD_PREFIX + post, () => (kept ? post : undefined)]);
    },
    setStar(channelId, postId, at) {
      const star = { channelId, postId, at: at ?? 0 };
      act({ type: 'star', ...star, starred: at !== null }, [STAR_PREFIX + starKey(star), () => (at === null ? undefined : star)]);
    },
  };
}

const contentsOf = ({ entries, presets, ordered }: LineupContents): LineupContents => ({
  entries,
  ...(presets !== undefined && { presets }),
  ...(ordered !== undefined && { ordered }),
});

/** Compares line-ups in the field order of the parser. */
const isSameLineup = (one: LineupContents, other: LineupContents): boolean => {
  const [a, b] = [one, other].map((contents) => JSON.stringify(parse.lineupContents(contents, '')));
  return a === b;
};

/** Returns false for a marker at 0, which means no marker: that is how a marker is removed. */
const isMarkSet = ({ messageId }: ReadMarker): boolean => messageId > 0;

const markEntry = ({ channelId, messageId }: ReadMarker) => [channelId, messageId] as const;
const toMarkEntry = (mark: ReadMarker): readonly [string, ReadMarker] => [MARK_PREFIX + mark.channelId, mark];
const parseStarEntry = ([key, at]: readonly [key: string, at: number]): Star => {
  const [channelId = '', postId] = key.split('/');
  return { channelId, postId: Number(postId), at };
};
const toStarEntry = (star: Star): readonly [string, Star] => [STAR_PREFIX + starKey(star), star];
