/** Hostile requests: measures request bodies, query parameters, paths and headers. */
import { TEXTS } from '../../test/fuzz/values.ts';
import { type Attempt, type Worst, worstOf } from './blocked.ts';
import { hostileBodies } from './bodies.ts';
import type { Route, Site } from './site.ts';

/** Row of the table. */
export interface Row extends Worst {
  readonly input: string;
  readonly limit: string;
}

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Size limits of the routes' bodies, in bytes. */
const LIMITS = [1024 * 1024, 512 * 1024, 16 * 1024];
const HEAD = 14_000;

const sizeOf = (bytes: number): string => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 1024} KiB`);

async function limitOf({ method, url }: Route, { ask }: Site, headers?: Record<string, string>): Promise<number> {
  for (const bytes of LIMITS) {
    const body = Buffer.from(`"${'a'.repeat(bytes - 2)}"`);
    if ((await ask(method, url, body, headers)) !== 413) return bytes;
  }
  throw new Error(`${method} ${url} takes no body`);
}

async function bodyRow(route: Route, site: Site, headers?: Record<string, string>, more: Body[] = []): Promise<Row> {
  const limit = await limitOf(route, site, headers);
  const bodies = [...hostileBodies(route.schema, limit), ...more.filter(({ text }) => Buffer.byteLength(text) <= limit)];
  const attempts = bodies.map(({ name, text }): Attempt => {
    const body = Buffer.from(text);
    return {
      name,
      run: async () => {
        const status = await site.ask(route.method, route.url, body, headers);
        if (status >= 500 || status === 413 || status === 429)
          throw new Error(`${status} ${route.method} ${route.path}: ${name}`);
      },
    };
  });
  return { input: `\`${route.method} ${route.path}\``, limit: sizeOf(limit), ...(await worstOf(attempts)) };
}

type Body = { readonly name: string; readonly text: string };

const SIGN_IN: readonly Body[] = ['a=b&', 'user=%7B&', '%00', 'hash=', 'user={"id":1}&', '%', '&', '=', '+'].map((text) => ({
  name: `initData: ${text} many times`,
  text: JSON.stringify({ initData: text.repeat(16_000 / text.length - 8) }),
}));

const chat = { id: -1_001_250_000_001, type: 'channel', title: 'Town', username: 'town_square' };
/** Size of the largest update, in bytes. */
const LARGEST = 2 ** 19;
const nest = (deep: number, open: string, close: string) => `${open.repeat(deep)}"a"${close.repeat(deep)}`;
const fill = (item: string, room = LARGEST - 2000) =>
  `[${Array(Math.floor(room / (item.length + 1)))
    .fill(item)
    .join()}]`;
const updateOf = (name: string, part: string): Body => ({
  name: `a post: ${name}`,
  text: `{"update_id":7,"channel_post":{"message_id":7,"chat":${JSON.stringify(chat)},"date":1700000000,${part}}}`,
});

/** Updates as Telegram sends them, with one part as large as possible. */
const UPDATES: readonly Body[] = [
  updateOf('entities', `"text":"abc","entities":${fill('{"type":"bold","offset":0,"length":3}')}`),
  updateOf(
    'entities in each other',
    `"text":"${'a'.repeat(20_000)}","entities":[${Array.from({ length: 8000 }, (_, at) => `{"type":"${at % 2 ? 'bold' : 'italic'}","offset":${at},"length":${20_000 - at}}`).join()}]`,
  ),
  updateOf('a long text', `"text":"${'слово '.repeat(45_000)}"`),
  updateOf('a text of short words', `"text":"${Array.from({ length: 80_000 }, (_, at) => at.toString(36)).join(' ')}"`),
  updateOf('a text of hashtags', `"text":"${Array.from({ length: 60_000 }, (_, at) => `#${at.toString(36)}`).join(' ')}"`),
  updateOf('a text without spaces', `"text":"${'а'.repeat(250_000)}"`),
  updateOf('sizes of a photo', `"photo":${fill('{"file_id":"a","file_unique_id":"b","width":1,"height":1}')}`),
  updateOf(
    'a poll',
    `"poll":{"id":"1","question":"q","options":${fill('{"text":"a","voter_count":1}')},"total_voter_count":1,"is_closed":false,"is_anonymous":true,"type":"regular","allows_multiple_answers":false}`,
  ),
  updateOf(
    'a deep rich text',
    `"rich_message":{"blocks":[{"type":"paragraph","text":${nest(15_000, '{"type":"bold","text":', '}')}}]}`,
  ),
  updateOf('deep rich blocks', `"rich_message":{"blocks":[${nest(10_000, '{"type":"details","summary":"s","blocks":[', ']}')}]}`),
  updateOf('many rich blocks', `"rich_message":{"blocks":${fill('{"type":"paragraph","text":"a"}')}}`),
  updateOf(
    'a rich table',
    `"rich_message":{"blocks":[{"type":"table","cells":${fill(`[${Array(20).fill('{"text":"d"}').join()}]`)}}]}`,
  ),
  updateOf('reactions of a post', `"reply_markup":{"inline_keyboard":${fill('[{"text":"a","url":"https://x.example"}]')}}`),
  {
    name: 'reactions',
    text: `{"update_id":7,"message_reaction_count":{"chat":${JSON.stringify(chat)},"message_id":7,"date":1700000000,"reactions":${fill('{"type":{"type":"emoji","emoji":"a"},"total_count":1}')}}}`,
  },
];

/** Hostile requests: measures every route that changes data with its bodies, and Telegram's webhook. */
export async function bodyRows(site: Site): Promise<Row[]> {
  const rows: Row[] = [];
  for (const route of site.routes.filter(({ method }) => CHANGES.includes(method)))
    rows.push(await bodyRow(route, site, undefined, route.path.endsWith('/webapp') ? [...SIGN_IN] : []));
  const webhook: Route = {
    method: 'POST',
    path: '/api/telegram/webhook',
    url: '/api/telegram/webhook',
    query: [],
    schema: undefined,
  };
  rows.push(await bodyRow(webhook, site, site.telegram, [...UPDATES]));
  return rows;
}

const REPEATED = [
  'a',
  ' ',
  '#a ',
  'ab ',
  '"',
  '%',
  '\u0301',
  'ا',
  'а б ',
  '城',
  '1,',
  '1.1,',
  ',',
  '(',
  '*',
  '\\',
  '-',
  "'",
  '😀',
  'a:',
  'no OR ',
];

/** Returns texts of the maximum length of a parameter, and those of the fuzz tests. */
const textsFor = (most: number): string[] => [
  ...REPEATED.map((text) => text.repeat(Math.ceil(most / text.length)).slice(0, most)),
  Array.from({ length: most }, (_, at) => at.toString(36))
    .join(' ')
    .slice(0, most),
  Array.from({ length: most }, (_, at) => at)
    .join(',')
    .slice(0, most),
  Buffer.from('['.repeat(most)).toString('base64url').slice(0, most),
  Buffer.from(`[${'1,'.repeat(most)}`)
    .toString('base64url')
    .slice(0, most),
  Buffer.from(`[1,"${'9'.repeat(60)}",1]`).toString('base64url'),
  ...TEXTS.map((text) => Buffer.from(text).toString().slice(0, most)),
];

/** Percent-encodes a text, and truncates it to the length that fits into the head of a request. */
const escaped = (text: string) => encodeURIComponent(text).slice(0, HEAD).replace(/%.?$/, '');

const asking = (site: Site, name: string, url: string, headers?: Record<string, string>): Attempt => ({
  name,
  run: async () => {
    const status = await site.ask('GET', url, undefined, headers);
    if (status >= 500) throw new Error(`${status} GET ${url}`);
  },
});

const shown = (text: string) => JSON.stringify(text.length > 12 ? `${text.slice(0, 12)}…` : text);

/** Measures every query parameter: searches, cursors, lists of channels and read markers. */
export async function queryRows(site: Site): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { path, url, query } of site.routes.filter(({ method, path }) => method === 'GET' && path !== '/api/events'))
    for (const { name, most } of query) {
      const base = path === '/api/search' && name !== 'q' ? `${url}?q=a&` : `${url}?`;
      const attempts = textsFor(most).map((text) => asking(site, shown(text), `${base}${name}=${escaped(text)}`));
      rows.push({ input: `\`GET ${path}?${name}=\``, limit: `${most} characters`, ...(await worstOf(attempts)) });
    }
  return rows;
}

/** Measures paths of pages and files, path segments, and request headers. */
export async function addressRows(site: Site): Promise<Row[]> {
  const pages = [
    '/main',
    '/channel/1',
    '/changer',
    '/nowhere',
    '/channel/',
    '/media/',
    '/feeds/',
    '/assets/',
    '/elements/drawn/changer-feed',
  ];
  const addresses = pages.flatMap((page) =>
    ['a', '/', '%2f', '%00', '.', '../', ';', '?', '&a=b', '%F0%9F%98%80', '+', '=', '%', 'post='].flatMap((text) => {
      const long = text.repeat(HEAD / text.length);
      return [
        asking(site, shown(`${page}${text}`), `${page}${long}`, {}),
        asking(site, shown(`${page}?${text}`), `${page}?${long}`, {}),
      ];
    }),
  );
  const names = [
    'access-token',
    'cookie',
    'accept-language',
    'accept-encoding',
    'accept',
    'if-none-match',
    'range',
    'origin',
    'referer',
    'x-forwarded-for',
    'last-event-id',
    'forwarded',
    'host',
    'user-agent',
  ];
  const heads = names.flatMap((name) =>
    ['a', 'a,', '*/', ';q=', '=;', 'a=b; ', '"', '"a", ', '0-1,', '1.1.1.1, ', '.', 'eyJ', ' ,', 'en-', '\u00ff'].flatMap(
      (text) =>
        ['/main', '/api/feed', '/media/1/1'].map((url) =>
          asking(site, `${name}: ${shown(text)}`, url, { [name]: text.repeat(HEAD / text.length).trim() || 'a' }),
        ),
    ),
  );
  return [
    { input: 'addresses of pages and files', limit: '16 KiB', ...(await worstOf(addresses)) },
    { input: 'heads of requests', limit: '16 KiB', ...(await worstOf(heads)) },
  ];
}
