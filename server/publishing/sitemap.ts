// Sitemap and robots.txt: lists the public pages for search engines.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Channel } from '../../contract/channel.ts';
import type { Config } from '../config.ts';
import type { PostSpan } from '../domain/model.ts';
import { sendPublicDocument } from '../http/caching.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { documentResponses } from '../http/schemas.ts';
import { escapeMarkup } from '../lib/markup.ts';
import type { Store } from '../storage/ports/store.ts';
import { channelAddress, originOf, PUBLIC_ACCESS, postAddress, readPublishedChannel, readPublishedChannels } from './site.ts';

/**
 * Number of a channel's posts in one part of the sitemap, which takes 1.2 MB. A part is named by the date of its first
 * post, so that later posts do not change it. Posts of its last second are in the next part.
 */
const POSTS_PER_PART = 10_000;
/** Limit of the protocol. If one second has more posts, the others are left out. */
const MAX_URLS = 50_000;

/** Channels per query of the index. */
const CHANNELS_PER_QUERY = 200;
/** Rows per query, between which other requests can run. */
const ROWS_PER_QUERY = 500;

/** Unix seconds later than any post: the year 2242. */
const END_OF_TIME = 2 ** 33 - 1;

const openXml = (root: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;

const formatTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

const urlXml = (address: string, modifiedAt: number | undefined): string => {
  const lastModifiedXml = modifiedAt === undefined ? '' : `<lastmod>${formatTime(modifiedAt)}</lastmod>`;
  return `<url><loc>${escapeMarkup(address)}</loc>${lastModifiedXml}</url>\n`;
};

/** Renders the index of the sitemap: the pages, and the parts of each channel with posts. */
async function writeSitemapIndex(origin: string, store: Store): Promise<string> {
  const parts = [`${origin}/sitemap/pages.xml`];
  const ids = (await readPublishedChannels(store)).map(({ id }) => id);
  for (let index = 0; index < ids.length; index += CHANNELS_PER_QUERY) {
    const batch = ids.slice(index, index + CHANNELS_PER_QUERY);
    const spans = await store.postSpans(batch, POSTS_PER_PART, PUBLIC_ACCESS);
    for (const id of batch)
      for (const from of await readPartStarts(id, spans.get(id), store))
        parts.push(`${origin}/sitemap/${encodeURIComponent(id)}-${from}.xml`);
    await yieldToEventLoop();
  }
  const entries = parts.map((part) => `<sitemap><loc>${escapeMarkup(part)}</loc></sitemap>\n`);
  return `${openXml('sitemapindex')}${entries.join('')}</sitemapindex>\n`;
}

/**
 * Returns the start dates of a channel's parts. A channel may contain only the service message of its creation. A channel
 * with one part needs no query.
 */
async function readPartStarts(channelId: string, span: PostSpan | undefined, store: Store): Promise<number[]> {
  if (span === undefined || !span.hasPosts) return [];
  if (span.dateAtOffset === null) return [span.firstDate];
  const parts: number[] = [];
  for (let from: number | null = span.firstDate; from !== null; ) {
    const end: number | null = await readNextPartStart(channelId, from, store);
    const [first] = await store.postDates(channelId, { from, to: (end ?? END_OF_TIME) - 1, limit: 1 }, PUBLIC_ACCESS);
    if (first !== undefined) parts.push(from);
    from = end;
    await yieldToEventLoop();
  }
  return parts;
}

/** Returns the start date of the next part; null after the last. */
async function readNextPartStart(channelId: string, from: number, store: Store): Promise<number | null> {
  const end = await store.postDateAtOffset(channelId, from, POSTS_PER_PART, PUBLIC_ACCESS);
  return end === from ? store.postDateAtOffset(channelId, from + 1, 0, PUBLIC_ACCESS) : end;
}

/** Renders the part of the sitemap with the pages of channels. */
async function writePagesMap(origin: string, store: Store): Promise<string> {
  const channels = await readPublishedChannels(store);
  const pages = channels.map((channel) => urlXml(channelAddress(origin, channel), channel.latest?.date));
  const latest = Math.max(0, ...channels.map((channel) => channel.latest?.date ?? 0));
  return `${openXml('urlset')}${urlXml(`${origin}/main`, latest || undefined)}${pages.join('')}</urlset>\n`;
}

/** Renders the part of the sitemap with a published channel's posts from a date on; null if there are none. */
async function writePostsMap(channel: Channel, from: number, origin: string, store: Store): Promise<string | null> {
  const to = ((await readNextPartStart(channel.id, from, store)) ?? END_OF_TIME) - 1;
  let xml = '';
  let position: { from: number; afterId?: number } | null = { from };
  for (let count = 0; position !== null && count < MAX_URLS; ) {
    const found = await store.postDates(channel.id, { ...position, to, limit: ROWS_PER_QUERY }, PUBLIC_ACCESS);
    for (const { id, modifiedAt } of found) xml += urlXml(postAddress(origin, channel, id), modifiedAt);
    count += found.length;
    const last = found.length < ROWS_PER_QUERY ? undefined : found.at(-1);
    position = last ? { from: last.date, afterId: last.id } : null;
    await yieldToEventLoop();
  }
  return xml === '' ? null : `${openXml('urlset')}${xml}</urlset>\n`;
}

/** Renders robots.txt. The API and the addresses that are private to a reader are not pages. */
const writeRobots = (origin: string): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /test',
    'Disallow: /notifications',
    'Disallow: /webapp/',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');

/** Services that this module uses. */
export type SitemapDeps = {
  readonly config: Config;
  readonly store: Store;
};

const XML_TYPE = 'application/xml';

/** Routes of the sitemap and of robots.txt. */
export function sitemapRoutes(app: App, deps: SitemapDeps): void {
  const { store, config } = deps;
  const tags = ['search engines'];

  app.get(
    '/robots.txt',
    { schema: { summary: 'Paths that robots may read', tags, response: documentResponses('robots.txt', 'text/plain') } },
    (request, reply) => sendPublicDocument(request, reply, { body: writeRobots(originOf(request, config)), type: 'text/plain' }),
  );

  app.get(
    '/sitemap.xml',
    { schema: { summary: 'The sitemap index', tags, response: documentResponses('A sitemap index', XML_TYPE) } },
    async (request, reply) =>
      sendPublicDocument(request, reply, { body: await writeSitemapIndex(originOf(request, config), store), type: XML_TYPE }),
  );

  app.get(
    '/sitemap/:part',
    {
      schema: {
        summary: 'A sitemap that the sitemap index lists',
        tags,
        params: Type.Object({ part: Type.String({ minLength: 1, maxLength: 100 }) }),
        response: documentResponses('A sitemap', XML_TYPE),
      },
    },
    async (request, reply) => {
      const body = await writePart(request.params.part, originOf(request, config), deps);
      if (body === null) throw notFound(`The sitemap ${request.params.part}`);
      return sendPublicDocument(request, reply, { body, type: XML_TYPE });
    },
  );
}

async function writePart(part: string, origin: string, { store }: SitemapDeps): Promise<string | null> {
  if (part === 'pages.xml') return writePagesMap(origin, store);
  const [, id, from] = /^(.+)-(\d{1,11})\.xml$/.exec(part) ?? [];
  if (id === undefined) return null;
  const channel = await readPublishedChannel(id, store);
  // A username is rejected, so that every part has only one URL.
  return channel.id === id ? writePostsMap(channel, Number(from), origin, store) : null;
}
