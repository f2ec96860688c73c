import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Embeds for the tags benchmark: one of our channels and its newest posts, which all embeds show. */
export interface EmbeddedChannel {
  readonly id: string;
  readonly title: string;
  readonly posts: readonly { readonly id: number; readonly date: number; readonly text: string }[];
}

/**
 * Embed: one way to show a channel on a page. `content` is the selector of the element that must be visible in `hosts`
 * or their shadow roots.
 */
interface Embed {
  readonly head: string;
  readonly hosts: string;
  readonly content: string;
  /** Selector of the control of the first tap, if it is not the content. */
  readonly control?: string;
  tag(channel: EmbeddedChannel, index: number): string;
}

const BLUESKY = 'bsky-embed/dist/bsky-embed.es.js';
const MASTODON = '@idotj/mastodon-embed-timeline/dist/mastodon-timeline';
/**
 * Its licence is the AGPL, so it is not a dependency of the project. The benchmark installs it into a folder of its own.
 */
const MASTODON_PACKAGE = '@idotj/mastodon-embed-timeline@4.8.2';
const MASTODON_FOLDER = '.test/bench-packages';
const YOUTUBE = 'lite-youtube-embed/src/lite-yt-embed';
/** Photo that is about as large as a poster image of YouTube. */
const POSTER = 'demo/harbour-gazette/photos/ferry-deck.jpg';
const BLANK_AVATAR = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

const preload = (url: string): string => `<link rel="preload" as="fetch" crossorigin href="${url}">`;

/**
 * Returns our embed and three others, each included as its own documentation describes, with the same number of posts
 * as ours.
 */
export const embedsOf = (ours: string, others: string, limit: number): Readonly<Record<string, Embed>> => ({
  'changer-channel': {
    head: `<script type="module" src="${ours}/elements/changer-channel.js"></script>`,
    hosts: 'changer-channel',
    content: 'article',
    control: 'article [aria-label="Copy link"]',
    tag: ({ id }) => `<changer-channel channel-id="${id}"></changer-channel>`,
  },
  'changer-channel, preloaded': {
    head: `<script type="module" src="${ours}/elements/changer-channel.js"></script>`,
    hosts: 'changer-channel',
    content: 'article',
    control: 'article [aria-label="Copy link"]',
    tag: ({ id }, index) =>
      (index === 0 ? preload(`${ours}/elements/drawn/changer-channel?channel-id=${id}&lang=en`) : '') +
      `<changer-channel channel-id="${id}"></changer-channel>`,
  },
  'bsky-embed': {
    head: `<script type="module" src="${others}/${BLUESKY}" async></script>`,
    hosts: 'bsky-embed',
    content: '[id=post-0]',
    tag: ({ id }) => `<bsky-embed username="${id}.example" limit="${limit}"></bsky-embed>`,
  },
  'mastodon-embed-timeline': {
    head: `<link rel="stylesheet" href="${others}/${MASTODON}.min.css"><script src="${others}/${MASTODON}.umd.js"></script>`,
    hosts: '.mt-container',
    content: '.mt-post',
    tag: ({ id }, index) =>
      `<div id="mt-${index}" class="mt-container"><div class="mt-body" role="feed"><div class="mt-loading-spinner"></div></div></div>` +
      `<script>new MastodonTimeline.Init({ mtContainerId: 'mt-${index}', instanceUrl: '${others}', timelineType: 'profile', userId: '${id}', profileName: '@c', maxNbPostFetch: '${limit}', maxNbPostShow: '${limit}' })</script>`,
  },
  'lite-youtube-embed': {
    head: `<link rel="stylesheet" href="${others}/${YOUTUBE}.css"><script src="${others}/${YOUTUBE}.js"></script>`,
    hosts: 'lite-youtube',
    content: '.lyt-playbtn',
    tag: ({ id }) => `<lite-youtube videoid="${id}" title="Video ${id}"></lite-youtube>`,
  },
});

export interface RunningOrigin {
  readonly origin: string;
  close(): void;
}

/**
 * Serves the results of `respond`, compressed with brotli, as a CDN would. This includes the APIs and scripts of the
 * other embeds.
 */
export async function serve(
  respond: (url: URL) => Promise<{ type: string; body: string | Buffer } | null>,
): Promise<RunningOrigin> {
  /** Compressed bodies by URL. */
  const compressed = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const content = await respond(new URL(request.url ?? '/', 'http://local')).catch(() => null);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (content === null) return void response.writeHead(404).end();
    const body =
      compressed.get(request.url ?? '') ?? brotliCompressSync(content.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    compressed.set(request.url ?? '', body);
    const headers = { 'content-type': content.type, 'cache-control': 'max-age=3600', 'content-encoding': 'br' };
    response.writeHead(200, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/**
 * Serves the other embeds: their published files, their APIs and the posters of videos, all from one origin on this
 * machine.
 */
export async function serveOthers(channels: readonly EmbeddedChannel[]): Promise<RunningOrigin> {
  const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });
  const findChannel = (id: string | null | undefined) => channels.find((channel) => id?.startsWith(channel.id));
  const files = [BLUESKY, `${MASTODON}.min.css`, `${MASTODON}.umd.js`, `${YOUTUBE}.css`, `${YOUTUBE}.js`];
  installMastodonEmbed();
  const others = await serve(async ({ pathname, searchParams }) => {
    if (pathname.endsWith('/app.bsky.feed.getAuthorFeed')) return json(blueskyFeed(findChannel(searchParams.get('actor'))));
    if (pathname === '/api/v1/custom_emojis') return json([]);
    const account = /^\/api\/v1\/accounts\/(\w+)\/statuses$/.exec(pathname)?.[1];
    if (account !== undefined) return json(searchParams.has('pinned') ? [] : mastodonStatuses(findChannel(account)));
    if (/^\/vi(_webp)?\//.test(pathname)) return { type: 'image/jpeg', body: await readFile(POSTER) };
    const path = files.find((file) => pathname === `/${file}`);
    if (path === undefined) return null;
    const text = await readFile(join(path.startsWith(MASTODON) ? MASTODON_FOLDER : '.', 'node_modules', path), 'utf8');
    const body = text.replaceAll(/https:\/\/(api\.bsky\.app|i\.ytimg\.com)/g, others.origin);
    return { type: path.endsWith('.css') ? 'text/css' : 'text/javascript', body };
  });
  // A CDN would have compressed these files already, so they are requested once in advance.
  for (const file of files) await (await fetch(`${others.origin}/${file}`)).text();
  return others;
}

function installMastodonEmbed(): void {
  if (existsSync(join(MASTODON_FOLDER, 'node_modules', `${MASTODON}.umd.js`))) return;
  const flags = ['--prefix', MASTODON_FOLDER, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...flags, MASTODON_PACKAGE], { stdio: ['ignore', 'ignore', 'inherit'] });
}

const blueskyFeed = (channel: EmbeddedChannel | undefined) => ({
  feed: channel?.posts.map(({ id, date, text }) => {
    const author = {
      did: `did:plc:${channel.id}`,
      handle: `${channel.id}.example`,
      displayName: channel.title,
      avatar: BLANK_AVATAR,
    };
    const uri = `at://did:plc:${channel.id}/app.bsky.feed.post/${id}`;
    const record = { $type: 'app.bsky.feed.post', text, createdAt: new Date(date * 1000).toISOString() };
    const counts = { replyCount: 1, repostCount: 2, likeCount: 3, quoteCount: 0 };
    return {
      post: { uri, cid: CID, author: { ...author, labels: [] }, record, ...counts, indexedAt: record.createdAt, labels: [] },
    };
  }),
});

/** Content id of a record. The embed does not check it. */
const CID = 'bafyreib2rxk3rybk3aobmv5cjuql3bm2twh4jo5uxgf5yo7j2fqjr6xkyu';

const mastodonStatuses = (channel: EmbeddedChannel | undefined) =>
  channel?.posts.map(({ id, date, text }) => {
    const url = `https://social.example/@c${channel.id}`;
    const account = {
      id: channel.id,
      username: `c${channel.id}`,
      display_name: channel.title,
      url,
      avatar: BLANK_AVATAR,
      emojis: [],
    };
    const counts = { replies_count: 1, reblogs_count: 2, favourites_count: 3 };
    const emptyFields = {
      reblog: null,
      card: null,
      poll: null,
      media_attachments: [],
      emojis: [],
      spoiler_text: '',
      language: null,
    };
    const content = `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`;
    const created_at = new Date(date * 1000).toISOString();
    return { id: String(id), created_at, url: `${url}/${id}`, content, visibility: 'public', account, ...counts, ...emptyFields };
  });
