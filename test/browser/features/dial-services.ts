// Services for tests of the dial and the navigation: a fake network in memory.

import type { Reader } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { LineupContents } from '../../../contract/lineup.ts';
import type { Post } from '../../../contract/post.ts';
import type { AppServices } from '../../../src/context/services.ts';
import { activePresets, toLineupRows } from '../../../src/data/lineup/selectors.ts';
import type { DataClient } from '../../../src/data/model/client.ts';
import type {
  Connectivity,
  LineupRow,
  Loadable,
  MergeNotice,
  SessionState,
  SyncStatus,
  Undoable,
} from '../../../src/data/model/types.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { computed } from '../../../src/lib/watched-signal.ts';
import type { Host } from '../../../src/platform/platform.ts';

/** Returns a channel of the fake network, which the tests of the dial and of the navigation use. */
export const channel = (id: string, title: string, about?: string): Channel => ({
  id,
  title,
  username: `u${id}`,
  ...(about === undefined ? {} : { about }),
  source: 'export',
  state: 'live',
  private: false,
  demo: true,
});

const NETWORK = [
  channel('1', 'Harbour Gazette', 'Ferries, tides and the town council'),
  channel('2', 'Orchard University', 'Notices, lectures, open days'),
  channel('3', 'مرصد المدينة', 'أخبار المدينة لحظة بلحظة'),
  channel('4', 'Трамвай 5', 'Расписание и перемены движения'),
  channel('5', 'Night Sky', 'What to look up at, each evening'),
  channel('6', 'Kitchen Notes', 'One recipe a day'),
  channel('7', 'Transit Desk', 'Works, detours, lifts'),
];
const UNREAD: Readonly<Record<string, number>> = { 1: 12, 2: 3, 3: 5, 5: 1, 7: 100 };

const WORDS = [
  'The 17:40 ferry is running again. The engine trouble from this morning is solved; the evening timetable holds from now on.',
  'Council votes on the new breakwater tonight, live from 19:00.',
  'Spring tide on Saturday: the lower quay will be under water from 06:10 to 07:30.',
];
const ARABIC = [
  'إغلاق شارع الميناء غداً من السادسة صباحاً حتى الظهر بسبب أعمال الصيانة. الرجاء استخدام طريق الحديقة.',
  'افتتاح المكتبة الجديدة يوم الخميس.',
  'درجات الحرارة ترتفع في نهاية الأسبوع.',
];

const post = (channelId: string, index: number): Post => ({
  channelId,
  id: 100 - index,
  date: Math.floor(Date.now() / 1000) - index * 50_000 - 3600,
  text: (channelId === '3' ? ARABIC : WORDS)[index] ?? '',
  entities: [],
  media: [],
  reactions: [],
});

export interface StubServices extends AppServices {
  /** The calls of the data layer and of the site, in order. */
  readonly calls: string[];
  readonly signals: {
    readonly lineup: ReturnType<typeof createSignal<Loadable<readonly LineupRow[]>>>;
    readonly connection: ReturnType<typeof createSignal<Connectivity>>;
    readonly saving: ReturnType<typeof createSignal<SyncStatus>>;
    readonly reader: ReturnType<typeof createSignal<SessionState>>;
    readonly contents: ReturnType<typeof createSignal<LineupContents>>;
    readonly merged: ReturnType<typeof createSignal<MergeNotice | null>>;
  };
}

/** Creates services whose data layer is a fake network in memory, and that record their calls. */
export function stubServices({
  embedded = false,
  off = [] as readonly string[],
  user = null as Reader | null,
  given = {} as Partial<LineupContents>,
  network: allChannels = NETWORK as readonly Channel[],
} = {}): StubServices {
  const calls: string[] = [];
  const network = createSignal(allChannels);
  const contents = createSignal<LineupContents>({
    entries: allChannels.map(({ id: channelId }) => ({ channelId, followed: !off.includes(channelId) })),
    ...given,
  });
  const unread = new Map(Object.entries(UNREAD));
  const rows = () => toLineupRows(network.get(), contents.get(), unread, Math.floor(Date.now() / 1000));
  const lineup = createSignal<Loadable<readonly LineupRow[]>>({ type: 'loaded', value: rows(), cachedAt: null });
  const connection = createSignal<Connectivity>('online');
  const saving = createSignal<SyncStatus>({ type: 'saved' });
  const reader = createSignal<SessionState>(user === null ? { type: 'anonymous' } : { type: 'signed-in', user });
  const undoable = createSignal<Undoable | null>(null);
  const merged = createSignal<MergeNotice | null>(null);
  let previousStates: readonly (readonly [LineupContents, Undoable])[] = [];
  const show = (next: LineupContents) => {
    contents.set(next);
    lineup.set({ type: 'loaded', value: rows(), cachedAt: null });
  };

  const latest = new Map<string, ReturnType<DataClient['latestPosts']>>();
  const stars = createSignal<ReadonlySet<string>>(new Set());
  const list = () => ({
    ...createSignal({ type: 'loading' as const }),
    loadOlder: async () => {},
    loadNewer: async () => {},
    refresh: async () => {},
    scrollAnchor: null,
  });
  const dataClient: DataClient = {
    session: reader,
    connectivity: connection,
    syncStatus: saving,
    directory: createSignal<Loadable<readonly Channel[]>>({ type: 'loaded', value: allChannels, cachedAt: null }),
    lineup,
    readMarkers: createSignal<ReadonlyMap<string, number>>(new Map()),
    keptUnread: createSignal<ReadonlySet<string>>(new Set()),
    stars,
    undoable,
    feed: list,
    posts: list,
    channel: () => createSignal<Loadable<Channel>>({ type: 'loading' }),
    latestPosts(id) {
      const signal =
        latest.get(id) ??
        createSignal<Loadable<readonly Post[]>>({
          type: 'loaded',
          value: [0, 1, 2].map((index) => post(id, index)),
          cachedAt: null,
        });
      latest.set(id, signal);
      return signal;
    },
    post: () => createSignal({ type: 'loading' as const }),
    presets: computed([contents], () => activePresets(contents.get())),
    mutedWords: createSignal(null),
    merged,
    applyLineupOperation(done, change) {
      calls.push(`${done.action} ${done.channelId}`);
      const next = change(contents.get(), Date.now());
      if (next === contents.get()) return () => {};
      const before = contents.get();
      previousStates = [[before, done], ...previousStates];
      show(next);
      undoable.set(done);
      return () => {
        calls.push(`back ${done.action}`);
        show(before);
      };
    },
    addChannel(channel) {
      calls.push(`meet ${channel.id}`);
      network.set([...network.get(), channel]);
      show(contents.get());
    },
    markRead: () => {},
    markAllRead: () => () => {},
    star: () => {},
    undo() {
      calls.push('undo');
      const [last, ...rest] = previousStates;
      previousStates = rest;
      if (last !== undefined) show(last[0]);
      undoable.set(rest[0]?.[1] ?? null);
    },
    refresh: async () => {
      calls.push('refresh');
    },
    close: () => {},
  };
  const site: AppServices['environment'] = {
    baseUrl: '',
    embedded,
    brandName: 'Harbour network',
    botApp: 'https://t.me/harbour_bot/app',
    navigate: (path) => calls.push(`navigate ${path}`),
    setLocale: (locale) => calls.push(`locale ${locale}`),
    signOut: async () => {
      calls.push('sign out');
    },
  };
  return {
    dataClient,
    host: stubHost(calls),
    environment: site,
    calls,
    signals: { lineup, connection, saving, reader, contents, merged },
  };
}

function stubHost(calls: string[]): Host {
  const none = { top: 0, right: 0, bottom: 0, left: 0 };
  return {
    kind: 'browser',
    platform: null,
    version: null,
    launchData: () => null,
    readerId: () => null,
    startParam: () => null,
    language: () => null,
    dropLaunchData: () => {},
    theme: createSignal({ scheme: null, colors: {} }),
    viewport: createSignal({ height: null, stableHeight: null, expanded: false, safeArea: none, contentSafeArea: none }),
    active: createSignal(true),
    supports: () => false,
    ready: () => {},
    expand: () => {},
    close: () => {},
    showBackButton: () => () => {},
    confirmClosing: () => {},
    allowVerticalSwipes: (allow) => calls.push(`vertical swipes ${allow}`),
    haptic: (kind) => calls.push(`haptic ${kind}`),
    openLink: () => {},
    openTelegramLink: () => {},
    share: async () => 'failed',
    setColors: () => {},
  };
}
