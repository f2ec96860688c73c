// User state: line-up, read markers, stars and kept-unread posts, stored on the device and synchronized through the outbox.

import type { Mark, Merge, Star } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Lineup, LineupContents } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import * as parse from '../../../contract/parse.ts';
import { list } from '../../../contract/shape.ts';
import { type Cell, createCell, type Readable } from '../../lib/signal.ts';
import type { Shelf, Slot } from '../../storage/key-value-store.ts';
import type { Link } from '../connection/connection.ts';
import { DEFAULT } from '../lineup/selectors.ts';
import type { Saving } from '../model/types.ts';
import { type Device, fit } from '../offline/offline-store.ts';
import type { Change, Outbox } from './outbox.ts';

/**
 * A reader's line-up, read markers, stars and kept-unread posts. Changes are stored on the device at once; the outbox sends
 * them to the server.
 */
export interface ReaderState {
  /** Null until the device and, for a signed-in reader, the server have been read. */
  readonly lineup: Readable<LineupContents | null>;
  /**
   * Read markers. Without a marker, a channel counts as read up to its newest post when this device first saw it: a new
   * reader has no unread history.
   */
  readonly marks: Readable<ReadonlyMap<string, number>>;
  /** Stores the newest post of each channel that this device sees for the first time. */
  meet(channels: readonly Channel[]): void;
  /** Time when each post was starred, unix ms, by post key. */
  readonly stars: Readable<ReadonlyMap<string, number>>;
  /** Keys of posts that remain unread although the channel's read marker has passed them. */
  readonly keptUnread: Readable<ReadonlySet<string>>;
  /** Resolves when the stored state has been loaded from the device. */
  readonly loaded: Promise<void>;
  setLineup(contents: LineupContents): void;
  setMark(channelId: string, messageId: number, exact: boolean): void;
  setStar(channelId: string, postId: number, at: number | null): void;
  /** `post` is the key of a post (`channelId/id`). */
  setKeptUnread(post: string, kept: boolean): void;
  /** Replaces the state by the server's. Pending changes are applied on top. */
  take(told: Told & { readonly lineup: Lineup }): void;
  /** Reports if all changes are stored on the device. */
  readonly saving: Readable<Saving>;
  /** Counts writes to the device. After each one, the reader's other tabs must read the state again. */
  readonly written: Readable<number>;
  /** Loads the state that another tab wrote to the device. */
  reread(): Promise<void>;
  /** Merges the line-up that the server returned after it saved a change. */
  saved(held: Lineup): void;
  /** The line-up before and after another device's changes were merged into it; null after the notice is acknowledged. */
  readonly merge: Cell<{ readonly before: LineupContents; readonly after: LineupContents } | null>;
  /** Shows the default line-up, where none is known and the server will not send one. */
  settle(): void;
}

const LINEUP = 'lineup';
const MARK = 'mark/';
const STAR = 'star/';
const KEPT_UNREAD = 'kept-unread/';
/** Store key of the newest post of each channel when this device first saw it. */
const FIRST = 'first-seen';
const firstSeen = list(parse.mark);

/** State from the device or the server. The line-up is null where it is unknown. */
interface Told {
  readonly lineup: Lineup | null;
  readonly marks: readonly Mark[];
  readonly stars: readonly Star[];
  readonly keptUnread: readonly string[];
}

/** Parses a stored line-up. A previous version stored only its entries. */
function keptLineup(raw: unknown): Lineup | null {
  const entries = fit(list(parse.lineupEntry), raw);
  return entries === null ? fit(parse.lineup, raw) : { entries, version: 0 };
}

async function readShelf(shelf: Shelf): Promise<Told> {
  const [lineup, marks, stars, keptUnread] = await Promise.all([
    shelf.get(LINEUP),
    shelf.list(MARK),
    shelf.list(STAR),
    shelf.list(KEPT_UNREAD),
  ]);
  return {
    lineup: keptLineup(lineup),
    marks: marks.flatMap(([, raw]) => fit(parse.mark, raw) ?? []),
    stars: stars.flatMap(([, raw]) => fit(parse.star, raw) ?? []),
    keptUnread: keptUnread.map(([, key]) => String(key)),
  };
}

/** Returns a store's state of a reader, in the format in which a device merges it into an account. */
export async function stateOf(shelf: Shelf): Promise<Required<Merge>> {
  const { lineup, marks, stars, keptUnread } = await readShelf(shelf);
  const { entries, presets = [] } = lineup ?? DEFAULT;
  return { entries, presets, marks: [...marks], stars: [...stars], keptUnread: [...keptUnread] };
}

const starKey = ({ channelId, postId }: Pick<Star, 'channelId' | 'postId'>): string => `${channelId}/${postId}`;

export interface ReaderStateOptions {
  readonly link: Link;
  readonly device: Device;
  /** Null for an anonymous reader, whose changes are only stored on the device. */
  readonly outbox: Outbox | null;
}

export function createReaderState({ link, device, outbox }: ReaderStateOptions): ReaderState {
  const lineup = createCell<LineupContents | null>(null);
  const merge = createCell<{ readonly before: LineupContents; readonly after: LineupContents } | null>(null);
  /** Version of the line-up that the server last returned. */
  let version = 0;
  const marks = createCell<ReadonlyMap<string, number>>(new Map());
  let first: ReadonlyMap<string, number> = new Map();
  const stars = createCell<ReadonlyMap<string, number>>(new Map());
  const keptUnread = createCell<ReadonlySet<string>>(new Set());

  const saving = createCell<Saving>({ type: 'saved' });
  const written = createCell(0);
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
  async function keep(write: (shelf: Shelf) => Promise<unknown>, isReadMarker: boolean): Promise<void> {
    if (link.isClosed()) return;
    unwritten++;
    if (!isReadMarker) unwrittenOthers++;
    updateSaving();
    const done = device.kept.then(({ reader }) => write(reader));
    writing = Promise.all([writing, done]);
    await done;
    await (await device.kept).late?.catch(() => {});
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
  function take(state: Told): void {
    version = state.lineup?.version ?? version;
    lineup.set(state.lineup && contentsOf(state.lineup));
    // Without a line-up, the server's markers are not loaded yet.
    const known = outbox === null || state.lineup !== null ? first : [];
    marks.set(new Map([...known, ...state.marks.filter(isSet).map(markEntry)]));
    stars.set(new Map(state.stars.map((star) => [starKey(star), star.at])));
    keptUnread.set(new Set(state.keptUnread));
    for (const change of outbox?.waiting() ?? [])
      put(change.type === 'lineup' ? { type: 'lineup', ...mergeLineups(lineup.get() ?? DEFAULT, contentsOf(change)) } : change);
  }
  function act(change: Change, slot: Slot): void {
    put(change);
    const added = outbox?.add(change, slot);
    void keep((shelf) => added ?? shelf.change(slot), change.type === 'mark');
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
    const seen: Mark[] = [...first].map(([channelId, messageId]) => ({ channelId, messageId }));
    void device.kept.then(({ reader }) => reader.put([[FIRST, seen]]));
  }

  async function load(): Promise<void> {
    const [{ reader }] = await Promise.all([device.kept, outbox?.load()]);
    const [state, seen] = await Promise.all([readShelf(reader), reader.get(FIRST)]);
    if (link.isClosed()) return;
    first = new Map(fit(firstSeen, seen)?.map(markEntry));
    const channels = early ?? [];
    early = null;
    meet(channels);
    // Changes made before the stored state was loaded are applied on top of it.
    const before = { lineup: lineup.get(), marks: marks.get() };
    take({
      ...state,
      stars: [...state.stars, ...[...stars.get()].map(starOf)],
      keptUnread: [...state.keptUnread, ...keptUnread.get()],
    });
    if (lineup.get() === null && outbox === null) lineup.set(DEFAULT);
    if (before.lineup !== null) lineup.set(before.lineup);
    const further = [...before.marks].filter(([channelId, messageId]) => messageId > (marks.get().get(channelId) ?? 0));
    marks.set(new Map([...marks.get(), ...further]));
  }
  const loaded = load();

  async function reread(): Promise<void> {
    await loaded;
    const { reader } = await device.kept;
    let before = writing;
    let state: Told;
    do {
      before = writing;
      await Promise.all([before, outbox?.load()]);
      state = await readShelf(reader);
    } while (before !== writing);
    const present = lineup.get();
    if (!link.isClosed()) take({ ...state, lineup: state.lineup ?? (present && { ...present, version }) });
  }

  /** Writes the current line-up, merged with what another tab may have written since. */
  const lineupSlot: Slot = [
    LINEUP,
    (raw): Lineup => {
      const held = keptLineup(raw) ?? { ...DEFAULT, version: 0 };
      return { ...mergeLineups(contentsOf(held), lineup.get() ?? DEFAULT), version: Math.max(held.version, version) };
    },
  ];

  return {
    lineup,
    merge,
    meet,
    marks,
    stars,
    keptUnread,
    loaded,
    saving,
    written,
    reread,
    take(told) {
      take(told);
      // The written state contains the pending changes: the server's state does not include them yet, and it replaces all
      // stored entries.
      const write = (shelf: Shelf) =>
        shelf.put(
          [
            [LINEUP, { ...lineup.get(), version }],
            ...[...marks.get()].flatMap(([channelId, messageId]) =>
              first.get(channelId) === messageId ? [] : [markSlot({ channelId, messageId })],
            ),
            ...[...stars.get()].map(starOf).map(starSlot),
            ...[...keptUnread.get()].map((key) => [KEPT_UNREAD + key, key] as const),
          ],
          [MARK, STAR, KEPT_UNREAD],
        );
      void keep(write, true);
    },
    settle() {
      if (lineup.get() !== null) return;
      lineup.set(DEFAULT);
      readFirst();
    },
    saved(held) {
      const before = lineup.get() ?? DEFAULT;
      version = held.version;
      const after = mergeLineups(contentsOf(held), before);
      lineup.set(after);
      if (!isSame(before, after)) merge.set({ before, after });
      void keep((shelf) => shelf.change(lineupSlot), false);
    },
    setLineup(next) {
      act({ type: 'lineup', ...next, version }, lineupSlot);
    },
    setMark(channelId, messageId, exact) {
      const mark = { channelId, messageId };
      act({ type: 'mark', ...mark, exact }, [
        MARK + channelId,
        (raw) => {
          if (!exact && (fit(parse.mark, raw)?.messageId ?? 0) > messageId) return raw;
          return isSet(mark) ? mark : undefined;
        },
      ]);
    },
    setKeptUnread(post, kept) {
      act({ type: 'kept-unread', post, kept }, [KEPT_UNREAD + post, () => (kept ? post : undefined)]);
    },
    setStar(channelId, postId, at) {
      const star = { channelId, postId, at: at ?? 0 };
      act({ type: 'star', ...star, starred: at !== null }, [STAR + starKey(star), () => (at === null ? undefined : star)]);
    },
  };
}

const contentsOf = ({ entries, presets, ordered }: LineupContents): LineupContents => ({
  entries,
  ...(presets !== undefined && { presets }),
  ...(ordered !== undefined && { ordered }),
});

/** Compares line-ups in the field order of the parser. */
const isSame = (one: LineupContents, other: LineupContents): boolean => {
  const [a, b] = [one, other].map((contents) => JSON.stringify(parse.lineupContents(contents, '')));
  return a === b;
};

/** Returns false for a marker at 0, which means no marker: that is how a marker is removed. */
const isSet = ({ messageId }: Mark): boolean => messageId > 0;

const markEntry = ({ channelId, messageId }: Mark) => [channelId, messageId] as const;
const markSlot = (mark: Mark): readonly [string, Mark] => [MARK + mark.channelId, mark];
const starOf = ([key, at]: readonly [key: string, at: number]): Star => {
  const [channelId = '', postId] = key.split('/');
  return { channelId, postId: Number(postId), at };
};
const starSlot = (star: Star): readonly [string, Star] => [STAR + starKey(star), star];
