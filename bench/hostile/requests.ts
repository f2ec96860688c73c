// Hostile requests: measures request bodies, query parameters, paths and headers.
import { TEXTS } from '../../test/fuzz/values.ts';
import { type Attempt, findWorstAttempt, type WorstAttempt } from './blocked.ts';
import { type Body, hostileBodies } from './bodies.ts';
import type { Route, Site } from './site.ts';

/** Row of the table. */
export interface Row extends WorstAttempt {
  readonly input: string;
  readonly limit: string;
}

const WRITE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Size limits of the routes' bodies, in bytes. */
const BODY_LIMITS = [1024 * 1024, 512 * 1024, 16 * 1024];
/** Maximum size of the hostile part of a request head. Node accepts heads of up to 16 KiB. */
const MAX_HEAD_BYTES = 14_000;

const formatSize = (bytes: number): string => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 1024} KiB`);

/** Returns the largest of `BODY_LIMITS` that a route accepts, in bytes. */
async function findBodyLimit({ method, url }: Route, { send }: Site, headers?: Record<string, string>): Promise<number> {
  for (const bytes of BODY_LIMITS) {
    const body = Buffer.from(`"${'a'.repeat(bytes - 2)}"`);
    if ((await send(method, url, body, headers)) !== 413) return bytes;
  }
  throw new Error(`${method} ${url} takes no body`);
}

async function bodyRow(route: Route, site: Site, headers?: Record<string, string>, additionalBodies: Body[] = []): Promise<Row> {
  const limit = await findBodyLimit(route, site, headers);
  const bodies = [
    ...hostileBodies(route.schema, limit),
    ...additionalBodies.filter(({ text }) => Buffer.byteLength(text) <= limit),
  ];
  const attempts = bodies.map(({ name, text }): Attempt => {
    const body = Buffer.from(text);
    return {
      name,
      run: async () => {
        const status = await site.send(route.method, route.url, body, headers);
        if (status >= 500 || status === 413 || status === 429)
          throw new Error(`${status} ${route.method} ${route.path}: ${name}`);
      },
    };
  });
  return { input: `\`${route.method} ${route.path}\``, limit: formatSize(limit), ...(await findWorstAttempt(attempts)) };
}

const SIGN_INS: readonly Body[] = ['a=b&', 'user=%7B&', '%00', 'hash=', 'user={"id":1}&', '%', '&', '=', '+'].map((text) => ({
  name: `initData: ${text} repeated`,
  text: JSON.stringify({ initData: text.repeat(16_000 / text.length - 8) }),
}));

const CHAT = { id: -1_001_250_000_001, type: 'channel', title: 'Town', username: 'town_square' };
/** Size of the largest update, in bytes. */
const MAX_UPDATE_BYTES = 2 ** 19;
const nestRepeatedly = (depth: number, open: string, close: string) => `${open.repeat(depth)}"a"${close.repeat(depth)}`;
const listWithin = (item: string, maxBytes = MAX_UPDATE_BYTES - 2000) =>
  `[${Array(Math.floor(maxBytes / (item.length + 1)))
    .fill(item)
    .join()}]`;
const updateOf = (name: string, part: string): Body => ({
  name: `post: ${name}`,
  text: `{"update_id":7,"channel_post":{"message_id":7,"chat":${JSON.stringify(CHAT)},"date":1700000000,${part}}}`,
});

/** Updates as Telegram sends them, with one part as large as possible. */
const UPDATES: readonly Body[] = [
  updateOf('entities', `"text":"abc","entities":${listWithin('{"type":"bold","offset":0,"length":3}')}`),
  updateOf(
    'nested entities',
    `"text":"${'a'.repeat(20_000)}","entities":[${Array.from({ length: 8000 }, (_, index) => `{"type":"${index % 2 ? 'bold' : 'italic'}","offset":${index},"length":${20_000 - index}}`).join()}]`,
  ),
  updateOf('long text', `"text":"${'слово '.repeat(45_000)}"`),
  updateOf('text of short words', `"text":"${Array.from({ length: 80_000 }, (_, index) => index.toString(36)).join(' ')}"`),
  updateOf('text of hashtags', `"text":"${Array.from({ length: 60_000 }, (_, index) => `#${index.toString(36)}`).join(' ')}"`),
  updateOf('text without spaces', `"text":"${'а'.repeat(250_000)}"`),
  updateOf('many photo sizes', `"photo":${listWithin('{"file_id":"a","file_unique_id":"b","width":1,"height":1}')}`),
  updateOf(
    'poll with many options',
    `"poll":{"id":"1","question":"q","options":${listWithin('{"text":"a","voter_count":1}')},"total_voter_count":1,"is_closed":false,"is_anonymous":true,"type":"regular","allows_multiple_answers":false}`,
  ),
  updateOf(
    'deeply nested rich text',
    `"rich_message":{"blocks":[{"type":"paragraph","text":${nestRepeatedly(15_000, '{"type":"bold","text":', '}')}}]}`,
  ),
  updateOf(
    'deeply nested rich blocks',
    `"rich_message":{"blocks":[${nestRepeatedly(10_000, '{"type":"details","summary":"s","blocks":[', ']}')}]}`,
  ),
  updateOf('many rich blocks', `"rich_message":{"blocks":${listWithin('{"type":"paragraph","text":"a"}')}}`),
  updateOf(
    'large rich table',
    `"rich_message":{"blocks":[{"type":"table","cells":${listWithin(`[${Array(20).fill('{"text":"d"}').join()}]`)}}]}`,
  ),
  updateOf('many inline buttons', `"reply_markup":{"inline_keyboard":${listWithin('[{"text":"a","url":"https://x.example"}]')}}`),
  {
    name: 'many reactions',
    text: `{"update_id":7,"message_reaction_count":{"chat":${JSON.stringify(CHAT)},"message_id":7,"date":1700000000,"reactions":${listWithin('{"type":{"type":"emoji","emoji":"a"},"total_count":1}')}}}`,
  },
];

/** Hostile requests: measures every route that changes data with its bodies, and Telegram's webhook. */
export async function bodyRows(site: Site): Promise<Row[]> {
  const rows: Row[] = [];
  for (const route of site.routes.filter(({ method }) => WRITE_METHODS.includes(method)))
    rows.push(await bodyRow(route, site, undefined, route.path.endsWith('/webapp') ? [...SIGN_INS] : []));
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

const REPEATED_TEXTS = [
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

/** Returns texts of the maximum length of a parameter, and the texts of the fuzz tests. */
const textsFor = (maxLength: number): string[] => [
  ...REPEATED_TEXTS.map((text) => text.repeat(Math.ceil(maxLength / text.length)).slice(0, maxLength)),
  Array.from({ length: maxLength }, (_, index) => index.toString(36))
    .join(' ')
    .slice(0, maxLength),
  Array.from({ length: maxLength }, (_, index) => index)
    .join(',')
    .slice(0, maxLength),
  Buffer.from('['.repeat(maxLength)).toString('base64url').slice(0, maxLength),
  Buffer.from(`[${'1,'.repeat(maxLength)}`)
    .toString('base64url')
    .slice(0, maxLength),
  Buffer.from(`[1,"${'9'.repeat(60)}",1]`).toString('base64url'),
  ...TEXTS.map((text) => Buffer.from(text).toString().slice(0, maxLength)),
];

/** Percent-encodes a text, and truncates it to the length that fits into the head of a request. */
const encodeForHead = (text: string) => encodeURIComponent(text).slice(0, MAX_HEAD_BYTES).replace(/%.?$/, '');

const createAttempt = (site: Site, name: string, url: string, headers?: Record<string, string>): Attempt => ({
  name,
  run: async () => {
    const status = await site.send('GET', url, undefined, headers);
    if (status >= 500) throw new Error(`${status} GET ${url}`);
  },
});

const abbreviate = (text: string) => JSON.stringify(text.length > 12 ? `${text.slice(0, 12)}…` : text);

/**
 * Measures every query parameter: searches, cursors, lists of channels and read markers. With `onlyPath`, measures only
 * the parameters of this route.
 */
export async function queryRows(site: Site, onlyPath?: string): Promise<Row[]> {
  const rows: Row[] = [];
  const routes = site.routes.filter(
    ({ method, path }) => method === 'GET' && path !== '/api/events' && (onlyPath === undefined || path === onlyPath),
  );
  for (const { path, url, query } of routes)
    for (const { name, maxLength } of query) {
      const base = path === '/api/search' && name !== 'q' ? `${url}?q=a&` : `${url}?`;
      const attempts = textsFor(maxLength).map((text) =>
        createAttempt(site, abbreviate(text), `${base}${name}=${encodeForHead(text)}`),
      );
      rows.push({ input: `\`GET ${path}?${name}=\``, limit: `${maxLength} characters`, ...(await findWorstAttempt(attempts)) });
    }
  return rows;
}

/** Measures paths of pages and files, path segments, and request headers. */
export async function urlAndHeaderRows(site: Site): Promise<Row[]> {
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
  const addressAttempts = pages.flatMap((page) =>
    ['a', '/', '%2f', '%00', '.', '../', ';', '?', '&a=b', '%F0%9F%98%80', '+', '=', '%', 'post='].flatMap((text) => {
      const longText = text.repeat(MAX_HEAD_BYTES / text.length);
      return [
        createAttempt(site, abbreviate(`${page}${text}`), `${page}${longText}`, {}),
        createAttempt(site, abbreviate(`${page}?${text}`), `${page}?${longText}`, {}),
      ];
    }),
  );
  const headerNames = [
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
  const headerAttempts = headerNames.flatMap((name) =>
    ['a', 'a,', '*/', ';q=', '=;', 'a=b; ', '"', '"a", ', '0-1,', '1.1.1.1, ', '.', 'eyJ', ' ,', 'en-', '\u00ff'].flatMap(
      (text) =>
        ['/main', '/api/feed', '/media/1/1'].map((url) =>
          createAttempt(site, `${name}: ${abbreviate(text)}`, url, {
            [name]: text.repeat(MAX_HEAD_BYTES / text.length).trim() || 'a',
          }),
        ),
    ),
  );
  return [
    { input: 'URLs of pages and files', limit: '16 KiB', ...(await findWorstAttempt(addressAttempts)) },
    { input: 'request headers', limit: '16 KiB', ...(await findWorstAttempt(headerAttempts)) },
  ];
}
