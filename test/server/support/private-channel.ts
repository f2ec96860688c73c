// Private channel for tests of access: a channel with much stored data, and the requests about it for every route.
import type { TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import { createFolderMediaStore } from '../../../server/media/folder-media-store.ts';
import { saveMediaFile } from '../../../server/media/save-file.ts';
import type { Channel as TelegramChannel } from '../../bot-api/channel.ts';
import { loadSamples } from '../../bot-api/samples.ts';
import { until } from '../../support/browser.ts';
import { type BotSite, makeBotSite } from '../sources/telegram/bot-site.ts';

export const MEMBER = 501;
export const MEMBER_OF_OTHER_CHANNEL = 502;
export const NON_MEMBER = 503;
export const UNKNOWN_CHANNEL_ID = '1599999999';
export const PREVIOUS_USERNAME = 'gardenia_circle';

export interface PrivateChannelSite extends BotSite {
  readonly privateChannel: TelegramChannel;
  readonly postId: number;
  /** Media keys of its picture and of the photo of a post. */
  readonly keys: readonly string[];
  /** Texts that no response may contain. */
  readonly secrets: readonly string[];
}

const request = (url: string, method: NonNullable<InjectOptions['method']> = 'GET', payload?: object): InjectOptions => ({
  url,
  method,
  ...(payload && { payload }),
});

/**
 * The requests to each route about a channel. `name` is its id or a previous username. A route without an entry fails the test,
 * so that the author of a new route has to describe how it could leak.
 */
export const REQUESTS_BY_ROUTE: Readonly<Record<string, (name: string, postId: number, key: string) => InjectOptions[]>> = {
  'GET /api/docs': () => [request('/api/docs'), request('/api/docs/')],
  'GET /api/docs/static/index.html': () => [request('/api/docs/static/index.html')],
  'GET /api/docs/static/swagger-initializer.js': () => [request('/api/docs/static/swagger-initializer.js')],
  'GET /api/docs/*': () => [request('/api/docs/none')],
  'GET /api/docs/json': () => [request('/api/docs/json')],
  'GET /api/docs/yaml': () => [request('/api/docs/yaml')],
  'DELETE /api/demo': () => [request('/api/demo', 'DELETE')],
  'POST /api/telegram/auth/webapp': () => [request('/api/telegram/auth/webapp', 'POST', { initData: 'x' })],
  'POST /api/telegram/webhook': (name) => [request('/api/telegram/webhook', 'POST', { update_id: 1, chat: name })],
  'DELETE /api/session': () => [request('/api/session', 'DELETE')],
  'GET /api/me/sessions': () => [request('/api/me/sessions')],
  'DELETE /api/me/sessions': () => [request('/api/me/sessions', 'DELETE')],
  'DELETE /api/me/sessions/:id': (name) => [request(`/api/me/sessions/${name}`, 'DELETE')],
  'GET /api/search': (name) => [
    request('/api/search?q=xylophone'),
    request('/api/search?q=rehearsal&media=true'),
    request('/api/search?q=xylo'),
    request('/api/search?media=photo,link'),
    request('/api/search?from=0'),
    request(`/api/search?q=xylophone&channels=${name}`),
  ],
  'PUT /api/stars/:channel/:id': (name, postId) => [request(`/api/stars/${name}/${postId}`, 'PUT')],
  'PUT /api/kept-unread/:channel/:id': (name, postId) => [request(`/api/kept-unread/${name}/${postId}`, 'PUT')],
  'DELETE /api/kept-unread/:channel/:id': (name, postId) => [request(`/api/kept-unread/${name}/${postId}`, 'DELETE')],
  'GET /api/notifications/key': () => [request('/api/notifications/key')],
  'GET /api/notifications': () => [request('/api/notifications')],
  'POST /api/notifications/test': () => [request('/api/notifications/test', 'POST')],
  'PUT /api/notifications/device': () => [request('/api/notifications/device', 'PUT', { language: 'en' })],
  'DELETE /api/notifications/devices/:id': (name) => [request(`/api/notifications/devices/${name}`, 'DELETE')],
  'PUT /api/notifications/bot-access': () => [request('/api/notifications/bot-access', 'PUT')],
  'PUT /api/notifications/settings': () => [
    request('/api/notifications/settings', 'PUT', {
      ...{ delivery: 'immediate', dailyAt: 540, quiet: null, timeZone: 'UTC', target: 'push' },
    }),
  ],
  'PUT /api/notifications/channels/:channelId': (name) => [
    request(`/api/notifications/channels/${name}`, 'PUT', { mode: 'all', words: [] }),
    request(`/api/notifications/channels/${name}`, 'PUT', { mode: 'words', words: ['xylophone'] }),
  ],
  'DELETE /api/notifications': () => [request('/api/notifications', 'DELETE')],
  'POST /api/me/merge': (name, postId) => [
    request('/api/me/merge', 'POST', {
      entries: [{ channelId: name }],
      marks: [{ channelId: name, messageId: 0 }],
      stars: [{ channelId: name, postId, at: 1 }],
      keptUnread: [`${name}/${postId}`],
    }),
  ],
  'GET /api/stars': () => [request('/api/stars')],
  'DELETE /api/stars/:channel/:id': (name, postId) => [request(`/api/stars/${name}/${postId}`, 'DELETE')],
  'GET /api/marks': () => [request('/api/marks')],
  'GET /api/unread': (name) => [request('/api/unread'), request(`/api/unread?marks=${name}.0`)],
  'PUT /api/lineup': (name) => [request('/api/lineup', 'PUT', { entries: [{ channelId: name }] })],
  'GET /api/lineup': () => [request('/api/lineup')],
  'GET /api/channels': () => [request('/api/channels')],
  'GET /api/channels/:id': (name) => [request(`/api/channels/${name}`), request(`/api/channels/@${name}`)],
  'GET /api/channels/:id/posts': (name, postId) => [
    request(`/api/channels/${name}/posts`),
    request(`/api/channels/${name}/posts?around=${postId}`),
    request(`/api/channels/${name}/posts?date=1700000000`),
    request(`/api/channels/${name}/posts?q=xylophone`),
  ],
  'PUT /api/channels/:id/read': (name, postId) => [request(`/api/channels/${name}/read`, 'PUT', { messageId: postId })],
  'GET /api/posts/:channel/:id': (name, postId) => [request(`/api/posts/${name}/${postId}`)],
  'GET /api/feed': (name) => [request('/api/feed'), request('/api/feed?media=true'), request(`/api/feed?channels=${name}`)],
  'POST /api/feeds': (name) => [
    request('/api/feeds', 'POST', { url: `https://t.me/${name}` }),
    request('/api/feeds', 'POST', { url: `https://t.me/c/${name}/7` }),
    request('/api/feeds', 'POST', { url: `localhost:80/channel/${name}` }),
  ],
  // The event stream has its own test below.
  'GET /api/events': () => [],
  'GET /api/operator/hidden': (name) => [request('/api/operator/hidden'), request(`/api/operator/hidden?channel=${name}`)],
  'PUT /api/operator/hidden/:channel/:post': (name) => [request(`/api/operator/hidden/${name}/1`, 'PUT')],
  'DELETE /api/operator/hidden/:channel/:post': (name) => [request(`/api/operator/hidden/${name}/1`, 'DELETE')],
  'GET /api/operator/gaps': (name) => [request('/api/operator/gaps'), request(`/api/operator/gaps?channel=${name}`)],
  'GET /api/operator/rights': () => [request('/api/operator/rights')],
  'GET /api/operator/audit': (name) => [request('/api/operator/audit'), request(`/api/operator/audit?channel=${name}`)],
  'GET /api/operator/brand': () => [request('/api/operator/brand')],
  'PUT /api/operator/brand': () => [request('/api/operator/brand', 'PUT', { name: 'x' })],
  'DELETE /api/operator/brand': () => [request('/api/operator/brand', 'DELETE')],
  'POST /api/operator/feeds': () => [request('/api/operator/feeds', 'POST', { url: 'http://127.0.0.1/' })],
  'POST /api/operator/connect': () => [request('/api/operator/connect', 'POST')],
  'GET /api/operator/site-keys': (name) => [
    request('/api/operator/site-keys'),
    request(`/api/operator/site-keys?channel=${name}`),
  ],
  'POST /api/operator/site-keys': (name) => [
    request('/api/operator/site-keys', 'POST', { origin: 'https://club.example', channels: [name] }),
  ],
  'DELETE /api/operator/site-keys/:id': (name) => [request(`/api/operator/site-keys/${name}`, 'DELETE')],
  'GET /api/operator/channels': () => [request('/api/operator/channels')],
  'POST /api/operator/channels/:id/disconnect': (name) => [
    request(`/api/operator/channels/${name}/disconnect`, 'POST', { keep: 'perhaps' }),
  ],
  'POST /api/operator/channels/:id/reconnect': (name) => [request(`/api/operator/channels/${name}/reconnect`, 'POST')],
  'POST /api/operator/channels/:id/recheck': (name) => [request(`/api/operator/channels/${name}/recheck`, 'POST')],
  'POST /api/operator/channels/:id/accept': (name) => [request(`/api/operator/channels/${name}/accept`, 'POST')],
  'POST /api/operator/channels/:id/decline': (name) => [request(`/api/operator/channels/${name}/decline`, 'POST')],
  'GET /api/version': () => [request('/api/version')],
  'GET /healthz': () => [request('/healthz')],
  'GET /media/:key': (_name, _postId, key) => [
    request(`/media/${key}`),
    request(`/media/${key}?grant=9999999999.x`),
    request(`/media/${key}?size=320`),
  ],
  'GET /elements': () => [request('/elements')],
  'GET /elements/drawn/:tag': (name) =>
    ['changer-channel', 'changer-feed', 'changer-post'].map((tag) =>
      request(`/elements/drawn/${tag}?channel-id=${name}&channels=${name}&post-id=1`),
    ),
  'GET /elements/versions.json': () => [request('/elements/versions.json')],
  'GET /elements/v/:version/:file': (name) => [request(`/elements/v/${name}/changer-channel.js`)],
  'GET /feeds/:file': (name) => ['rss', 'atom', 'json'].map((format) => request(`/feeds/${name}.${format}`)),
  'GET /feeds/line-up.rss': (name) => [request('/feeds/line-up.rss'), request(`/feeds/line-up.rss?channels=${name}`)],
  'GET /feeds/line-up.atom': (name) => [request('/feeds/line-up.atom'), request(`/feeds/line-up.atom?channels=${name}`)],
  'GET /feeds/line-up.json': (name) => [request('/feeds/line-up.json'), request(`/feeds/line-up.json?channels=${name}`)],
  'GET /feeds/search.rss': (name) => searches(name, 'rss'),
  'GET /feeds/search.atom': (name) => searches(name, 'atom'),
  'GET /feeds/search.json': (name) => searches(name, 'json'),
  'GET /feeds/network.opml': () => [request('/feeds/network.opml')],
  'GET /oembed': (name, postId) =>
    [`/channel/${name}`, `/channel/${name}?post=${postId}`].flatMap((page) => {
      const query = new URLSearchParams({ url: `http://localhost:80${page}` });
      return [request(`/oembed?${query}`), request(`/oembed?${query}&format=xml`)];
    }),
  'GET /robots.txt': () => [request('/robots.txt')],
  'GET /sitemap.xml': () => [request('/sitemap.xml')],
  'GET /sitemap/:part': (name) => [request('/sitemap/pages.xml'), request(`/sitemap/${name}-0.xml`)],
  'GET /*': (name, postId) => [request('/'), request(`/channel/${name}`), request(`/channel/${name}/${postId}`)],
  'DELETE /api/me': () => [request('/api/me', 'DELETE')],
  'GET /api/me': () => [request('/api/me')],
  'GET /metrics': () => [{ ...request('/metrics'), remoteAddress: '192.0.2.1' }],
  'GET /privacy': () => [request('/privacy')],
  'GET /.well-known/security.txt': () => [request('/.well-known/security.txt')],
  'GET /api/me/data': () => [request('/api/me/data')],
};

const searches = (name: string, format: string): InjectOptions[] => [
  request(`/feeds/search.${format}?q=xylophone`),
  request(`/feeds/search.${format}?q=xylophone&channels=${name}`),
];

/** Returns every route of the app, as `GET /api/channels/:id`. Parses the tree that Fastify prints. */
export const routesOf = ({ app }: BotSite): string[] => {
  const path: string[] = [];
  const routes = app.printRoutes({ commonPrefix: false }).split('\n');
  return routes.flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+) \(([A-Z, ]+)\)$/u.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4 - 1;
    path.splice(depth, path.length, part);
    const routePath = path
      .join('')
      .replace(/^\*$/, '/*')
      .replace(/([^/])\*$/, '$1/*');
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => `${method} ${routePath}`);
  });
};

/** Creates a site with a private channel with much stored data, a second private channel, and a public one. */
export const makePrivateChannelSite = async (t: TestContext): Promise<PrivateChannelSite> => {
  const site = await makeBotSite(t);
  const { telegram, store, dataDir } = site;
  const users = new Map([MEMBER, MEMBER_OF_OTHER_CHANNEL, NON_MEMBER].map((id) => [id, telegram.user(id, `Reader ${id}`)]));
  const join = (channel: TelegramChannel, id: number) => {
    const user = users.get(id);
    if (user) channel.join(user);
  };
  const { photos } = await loadSamples();
  const privateChannel = telegram.channel({
    title: 'Gardenia Circle',
    username: PREVIOUS_USERNAME,
    description: 'Whispering ferns',
    others: 424_242_424,
  });
  const otherPrivateChannel = telegram.channel({ title: 'Cellar', others: 2 });
  const publicChannel = telegram.channel({ title: 'Town', username: 'town_square' });
  privateChannel.setPhoto(photos[0] ?? []);
  join(privateChannel, MEMBER);
  join(otherPrivateChannel, MEMBER_OF_OTHER_CHANNEL);
  for (const channel of [privateChannel, otherPrivateChannel, publicChannel]) channel.addBot(telegram.operator, {});
  const shown = async () => (await store.channel(privateChannel.bareId, { privateChannels: 'all' })) ?? undefined;
  await until(async () => (await shown())?.picture !== undefined, 'the garden has its picture');
  privateChannel.setUsername(undefined);
  const { message_id: postId } = privateChannel.post(telegram.make.text('The xylophone rehearsal is at nine #quartet'));
  await until(async () => (await shown())?.private === true && (await shown())?.username === undefined, 'the channel is private');
  const { src, file } = await saveMediaFile(photos[1]?.at(-1)?.bytes ?? Buffer.of(), {
    mediaStore: createFolderMediaStore(dataDir),
    store,
  });
  const post = {
    channelId: privateChannel.bareId,
    id: postId + 1,
    date: 1_760_000_000,
    text: 'rehearsal',
    entities: [],
    reactions: [],
  };
  const media = [{ type: 'photo' as const, messageId: postId + 1, src, width: file.width ?? 1, height: file.height ?? 1 }];
  await store.putMessages([{ post, media, source: 'bot', modifiedAt: 1_760_000_000 }]);
  for (const channel of [otherPrivateChannel, publicChannel]) channel.post(telegram.make.text('Nothing to hide'));
  await until(async () => (await store.posts({ limit: 9 }, { privateChannels: 'all' })).length === 4, 'all is there');
  const picture = (await shown())?.picture?.src ?? '';
  const keys = [picture, src].map((path) => path.replace('/media/', ''));
  const hashes = keys.map((key) => key.split('.')[0] ?? '');
  const secrets = [
    'xylophone',
    'rehearsal',
    'Gardenia',
    PREVIOUS_USERNAME,
    'Whispering',
    // The number of its members is so large that no id contains it by chance.
    '424242427',
    `"channelId":"${privateChannel.bareId}","count"`,
  ];
  return { ...site, privateChannel, postId, keys, secrets: [...secrets, ...hashes] };
};
