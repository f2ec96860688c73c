import type { LineupEntry, Mark, Merge, Star } from '../../contract/api.ts';
import * as parse from '../../contract/parse.ts';
import { list } from '../../contract/shape.ts';
import type { Shelf } from '../kept/shelf.ts';
import { createCell, type Readable } from '../readable.ts';
import { type Device, fit } from './device.ts';
import type { Link } from './link.ts';
import type { Change, Outbox } from './outbox.ts';

/** A reader's line-up, marks and stars: on the device at once; the outbox carries what the server has to hear. */
export interface ReaderState {
  /** Null until the device, and for a signed-in reader the server, has been asked. */
  readonly entries: Readable<readonly LineupEntry[] | null>;
  readonly marks: Readable<ReadonlyMap<string, number>>;
  /** When each starred post was starred, unix ms, by its key. */
  readonly stars: Readable<ReadonlyMap<string, number>>;
  /** Resolves when the device has been read. */
  readonly loaded: Promise<void>;
  setEntries(entries: readonly LineupEntry[]): void;
  setMark(channelId: string, messageId: number, exact: boolean): void;
  setStar(channelId: string, postId: number, at: number | null): void;
  /** Takes over what the server holds; changes that still wait go over it. */
  take(told: Merge): Promise<void>;
  /** Shows the default line-up where nothing is known and no server will say. */
  settle(): void;
}

const LINEUP = 'lineup';
const MARK = 'mark/';
const STAR = 'star/';

/** What the device or the server says; entries are null where it does not know. */
type Told = Omit<Merge, 'entries'> & { readonly entries: readonly LineupEntry[] | null };

/** What a shelf holds of a reader, in the shape in which a device hands it over. */
export async function stateOf(shelf: Shelf): Promise<Merge> {
  const [entries, marks, stars] = await Promise.all([shelf.get(LINEUP), shelf.list(MARK), shelf.list(STAR)]);
  return {
    entries: fit(list(parse.lineupEntry), entries) ?? [],
    marks: marks.flatMap(([, raw]) => fit(parse.mark, raw) ?? []),
    stars: stars.flatMap(([, raw]) => fit(parse.star, raw) ?? []),
  };
}

const starKey = ({ channelId, postId }: Pick<Star, 'channelId' | 'postId'>): string => `${channelId}/${postId}`;

export interface ReaderStateOptions {
  readonly link: Link;
  readonly device: Device;
  /** Null for an anonymous reader: the device is where things are saved. */
  readonly outbox: Outbox | null;
}

export function createReaderState({ link, device, outbox }: ReaderStateOptions): ReaderState {
  const entries = createCell<readonly LineupEntry[] | null>(null);
  const marks = createCell<ReadonlyMap<string, number>>(new Map());
  const stars = createCell<ReadonlyMap<string, number>>(new Map());

  async function keep(write: (shelf: Shelf) => Promise<void>): Promise<void> {
    if (!link.isClosed()) await write((await device.kept).reader);
  }
  function put(change: Change): void {
    if (change.type === 'lineup') entries.set(change.entries);
    else if (change.type === 'mark') marks.set(new Map(marks.get()).set(change.channelId, change.messageId));
    else {
      const next = new Map(stars.get());
      if (change.starred) next.set(starKey(change), change.at);
      else next.delete(starKey(change));
      stars.set(next);
    }
  }
  function take(state: Told): void {
    entries.set(state.entries);
    marks.set(new Map(state.marks.map((mark) => [mark.channelId, mark.messageId])));
    stars.set(new Map(state.stars.map((star) => [starKey(star), star.at])));
    for (const change of outbox?.waiting() ?? []) put(change);
  }
  function act(change: Change, write: (shelf: Shelf) => Promise<void>): void {
    put(change);
    void keep(write);
    outbox?.add(change);
  }

  async function load(): Promise<void> {
    const [{ reader }] = await Promise.all([device.kept, outbox?.load()]);
    const [state, known] = await Promise.all([stateOf(reader), reader.get(LINEUP)]);
    if (link.isClosed()) return;
    // What was done before the device was read goes over what it holds.
    const early = { entries: entries.get(), marks: marks.get(), stars: stars.get() };
    const untold = known === undefined && outbox !== null ? null : state.entries;
    take({ ...state, entries: early.entries ?? untold });
    const further = [...early.marks].filter(([channelId, messageId]) => messageId > (marks.get().get(channelId) ?? 0));
    marks.set(new Map([...marks.get(), ...further]));
    stars.set(new Map([...stars.get(), ...early.stars]));
  }
  const loaded = load();

  return {
    entries,
    marks,
    stars,
    loaded,
    async take(told) {
      take(told);
      await keep(async (shelf) => {
        await Promise.all([shelf.drop(MARK), shelf.drop(STAR)]);
        await shelf.put([[LINEUP, entries.get()], ...told.marks.map(markSlot), ...told.stars.map(starSlot)]);
      });
    },
    settle() {
      if (entries.get() === null) entries.set([]);
    },
    setEntries(next) {
      act({ type: 'lineup', entries: next }, (shelf) => shelf.put([[LINEUP, next]]));
    },
    setMark(channelId, messageId, exact) {
      const mark = { channelId, messageId };
      act({ type: 'mark', ...mark, exact }, (shelf) =>
        shelf.change(MARK + channelId, (raw) => (!exact && (fit(parse.mark, raw)?.messageId ?? 0) > messageId ? raw : mark)),
      );
    },
    setStar(channelId, postId, at) {
      const star = { channelId, postId, at: at ?? 0 };
      const key = STAR + starKey(star);
      act({ type: 'star', ...star, starred: at !== null }, (shelf) => shelf.change(key, () => (at === null ? undefined : star)));
    },
  };
}

const markSlot = (mark: Mark): readonly [string, Mark] => [MARK + mark.channelId, mark];
const starSlot = (star: Star): readonly [string, Star] => [STAR + starKey(star), star];
