// Services for tests of the page of operators, with a fake API.

import type { Channel } from '../../../contract/channel.ts';
import type {
  AuditEntry,
  BotConnection,
  BrandResponse,
  OperatorChannel,
  OperatorOverview,
  Rights,
  SiteKey,
} from '../../../contract/operator.ts';
import type { OperatorApi } from '../../../src/api/operator-api.ts';
import type { Loadable } from '../../../src/data/model/types.ts';
import { createSignal, type WritableSignal } from '../../../src/lib/signal.ts';
import { channel, type StubServices, stubServices } from './dial-services.ts';

const item = (id: string, title: string, more: Partial<OperatorChannel> = {}): OperatorChannel => ({
  channel: { ...channel(id, title), source: 'bot', demo: false },
  messages: 12,
  hidden: 0,
  missing: 0,
  storage: 0,
  files: { waiting: 0, failed: 0 },
  ...more,
});

const connection: BotConnection = { status: 'connected', rights: [], missingRights: [], since: 1_700_000_000 };

/** Channels of the operator, one for each state. */
export const CHANNELS: readonly OperatorChannel[] = [
  item('1', 'Harbour Gazette', {
    connection: { ...connection, lastUpdate: 1_700_000_000, connectedBy: { id: '9' }, checkedAt: 1_700_000_000 },
    missing: 3,
    hidden: 1,
    storage: 3.4 * 1024 ** 2,
    files: {
      waiting: 2,
      failed: 1,
      failures: [{ code: 'too-large-for-bots', reason: 'Telegram gives bots no file as large as this', count: 1 }],
    },
  }),
  item('2', 'Night Sky', { connection: { ...connection, missingRights: ['can_manage_chat', 'can_fly'] } }),
  item('3', 'مرصد المدينة', { connection: { ...connection, status: 'lost', reason: 'The bot was removed.' } }),
  item('4', 'Market Square', { connection: { ...connection, status: 'asking' }, parked: 4 }),
  item('5', 'Tram 5', { connection: { ...connection, status: 'leaving', undoUntil: 1_700_000_600 } }),
  item('6', 'Gazette feed', {
    channel: { ...channel('6', 'Gazette feed'), source: 'feed', demo: false },
    feed: { url: 'https://gazette.example/feed.xml', failures: 3, error: 'The server answered 500.' },
  }),
  item('7', 'Kitchen Notes', { channel: { ...channel('7', 'Kitchen Notes'), demo: false } }),
  item('9', 'Garden Club', {
    channel: { ...channel('9', 'Garden Club'), source: 'bot', demo: false, private: true },
    connection,
  }),
  item('8', 'Demo', { channel: channel('8', 'Demo') }),
];

export const OVERVIEW: OperatorOverview = {
  channels: [...CHANNELS],
  bot: { type: 'webhook', username: 'city_bot', lastUpdate: 1_700_000_000 },
  mayConnect: true,
  storage: { used: 4 * 1024 ** 3, quota: 10 * 1024 ** 3, free: 90_000_000_000 },
  queue: {
    waiting: 2,
    failed: 1,
    failures: [{ code: 'too-large-for-bots', reason: 'Telegram gives bots no file as large as this', count: 1 }],
  },
};

const AUDIT_ENTRIES: readonly AuditEntry['act'][] = ['hide', 'disconnect', 'connect'];

export interface OperatorStub extends StubServices {
  /** The responses that the page gets. A test changes them. */
  readonly directory: WritableSignal<Loadable<readonly Channel[]>>;
  readonly responses: {
    overview: OperatorOverview;
    brand: BrandResponse;
    prepared: string | null;
    fails: Error | null;
    siteKeys: SiteKey[];
    rights: Rights;
  };
}

/** Creates services of a signed-in reader. They record the calls to the API of operators. */
export function operatorServices({ operator = true } = {}): OperatorStub {
  const stub = stubServices({ user: { id: '7', name: 'Ines', operator } });
  const responses: OperatorStub['responses'] = {
    overview: OVERVIEW,
    rights: { all: operator, channels: [] },
    brand: { name: 'City', color: '#3a5bd9', changed: true },
    prepared: null,
    fails: null,
    siteKeys: [],
  };
  async function respond<Value>(call: string, value: () => Value): Promise<Value> {
    stub.calls.push(call);
    if (responses.fails !== null) throw responses.fails;
    return value();
  }
  const done = (call: string) => respond(call, () => undefined);
  const post = { channelId: '1', id: 5, date: 1_700_000_000, text: 'Withdrawn words', entities: [], media: [], reactions: [] };
  const api: OperatorApi = {
    overview: () => respond('overview', () => responses.overview),
    rights: () => respond('rights', () => responses.rights),
    removeDemo: () => done('remove demo'),
    connect: () => respond('connect', () => ({ prepared: responses.prepared, link: 'https://t.me/city_bot?startchannel' })),
    runChannelAction: (id, action) => done(`${action} ${id}`),
    disconnect: (id, keep) => done(`disconnect ${id} ${keep}`),
    addFeed: (url) => respond(`add ${url}`, () => channel('9', 'New feed')),
    hiddenPosts: () =>
      respond('hidden', () => ({ items: [{ post, channel: channel('1', 'Harbour Gazette'), at: 1_700_000_000 }], next: null })),
    hide: (id, postId) => done(`hide ${id}/${postId}`),
    restore: (id, postId) => done(`restore ${id}/${postId}`),
    gaps: (id) => respond(`gaps ${id}`, () => ({ items: [{ channelId: id, messageId: 40, missing: 3 }], next: null })),
    auditLog: (before) =>
      respond(`acts ${before}`, () => ({
        items: AUDIT_ENTRIES.map((entry, index) => ({
          id: (before === null ? 9 : 5) - index,
          at: 1_700_000_000,
          act: entry,
          actor: { id: '41' },
          channelTitle: 'Harbour Gazette',
          detail: entry === 'disconnect' ? 'remove' : '12',
        })),
        next: before === null ? '7' : null,
      })),
    brand: () => respond('brand', () => responses.brand),
    setBrand: (change) => respond(`brand ${JSON.stringify(change)}`, () => responses.brand),
    resetBrand: () => respond('reset brand', () => responses.brand),
    siteKeys: (id) => respond(`site keys ${id}`, () => ({ items: responses.siteKeys, next: null })),
    createSiteKey: (origin, id) =>
      respond(`site key ${origin} ${id}`, () => {
        const key = { id: 'k1', origin, channels: [id], at: 1_700_000_000 };
        responses.siteKeys = [key];
        return { ...key, secret: 'very-secret' };
      }),
    revokeSiteKey: (id) =>
      respond(`revoke ${id}`, () => {
        responses.siteKeys = [];
      }),
  };
  const directory = createSignal<Loadable<readonly Channel[]>>({ type: 'loaded', value: [], cachedAt: null });
  return {
    ...stub,
    responses,
    directory,
    dataClient: { ...stub.dataClient, directory },
    environment: { ...stub.environment, loadOperatorApi: async () => api },
  };
}
