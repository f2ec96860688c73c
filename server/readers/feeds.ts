/**
 * Reader-added feeds: readers add feeds for themselves, also anonymous ones, because a browser has no other sign-in. So
 * everything is limited: the number of feeds (READER_FEEDS), the number of feeds that a client address may add in an
 * hour, and the number of concurrent checks. The response for a host on a private network is the same as for a host
 * that does not exist.
 */
import type { FastifyRequest } from 'fastify';
import { Channel } from '../../contract/channel.ts';
import { AddFeed } from '../../contract/operator.ts';
import { accessScopeOf } from '../auth/identity.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import type { Config } from '../config.ts';
import { clientAddress } from '../http/client.ts';
import { HttpError } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { responses } from '../http/schemas.ts';
import { createSlotLimiter } from '../lib/concurrency.ts';
import { FetchError } from '../sources/fetch/errors.ts';
import { type FeedDeps, FeedError } from '../sources/rss/types.ts';

/** Services that this module uses. */
export type ReaderFeedDeps = SerializeDeps & FeedDeps & { readonly config: Config };

/**
 * Rate limit: a device can send a list of a hundred feeds at once. Further feeds are rejected until the hour is over.
 */
const ADD_FEED_RATE_LIMIT = { max: 100, timeWindow: 3_600_000 };
/** Maximum number of concurrent checks, in total and for one client address. A check may take 10 MB and 40 s. */
const MAX_CONCURRENT_CHECKS = { all: 16, each: 4 };
/** Retry-After of a client for which no slot is free, s. */
const RETRY_AFTER_SECONDS = '5';

/** Route to follow a reader-added feed. */
export function readerFeedRoutes(app: App, deps: ReaderFeedDeps): void {
  const clientAddressOf = ({ raw }: FastifyRequest): string => clientAddress(raw, deps.config);
  const slots = createSlotLimiter(MAX_CONCURRENT_CHECKS);
  const createRateLimitError = () =>
    new HttpError(429, `Only ${ADD_FEED_RATE_LIMIT.max} feeds an hour can be added from one address: try again later.`);

  app.post(
    '/api/feeds',
    {
      config: {
        writableBy: 'anyone',
        rateLimit: { ...ADD_FEED_RATE_LIMIT, keyGenerator: clientAddressOf, errorResponseBuilder: createRateLimitError },
      },
      schema: { summary: 'Add a feed as a reader', tags: ['channels'], body: AddFeed, response: responses(Channel) },
    },
    async (request, reply) => {
      if (deps.config.maxReaderFeeds === 0)
        throw new HttpError(403, 'Readers cannot add feeds here: ask the operator of this site to add it.');
      const releaseSlot = slots.acquire(clientAddressOf(request));
      if (releaseSlot === null) {
        reply.header('retry-after', RETRY_AFTER_SECONDS);
        throw new HttpError(429, 'The server is checking too many feeds at the moment: try again in a few seconds.');
      }
      try {
        const { url } = request.body;
        const channel = (await findOwnChannel(url, request, deps)) ?? (await addFeedChannel(url, deps));
        return serializeChannels([channel], deps)[0] ?? channel;
      } finally {
        releaseSlot();
      }
    },
  );
}

/**
 * Returns the channel of this site at a URL; null for a URL of another site. Throws 422 if this site has no such
 * channel.
 */
async function findOwnChannel(url: string, request: FastifyRequest, { config, store }: ReaderFeedDeps): Promise<Channel | null> {
  const hosts = new Set([request.host, ...(config.publicUrl === null ? [] : [new URL(config.publicUrl).host])]);
  const ownUrl = parseOwnChannelUrl(url, hosts);
  if (ownUrl === null) return null;
  const channel = ownUrl.channel === null ? null : await store.channel(ownUrl.channel, await accessScopeOf(request));
  if (channel === null) throw new HttpError(422, 'This URL is neither a channel of this site nor a feed.');
  return channel;
}

async function addFeedChannel(url: string, deps: ReaderFeedDeps): Promise<Channel> {
  const { maxReaderFeeds } = deps.config;
  const { addExternalFeed } = await import('../sources/rss/add-feed.ts');
  const channel = await addExternalFeed(url, maxReaderFeeds, deps).catch((error: unknown) => {
    if (error instanceof FetchError) throw new HttpError(422, describeFetchError(error));
    if (error instanceof FeedError) throw new HttpError(422, error.message);
    throw error;
  });
  if (channel !== null) return channel;
  throw new HttpError(403, `Readers have already added ${maxReaderFeeds} feeds here, which is the maximum.`);
}

/** Describes the error. The text does not reveal whether a host on a private network exists. */
const describeFetchError = ({ reason, message }: FetchError): string =>
  reason === 'private' || reason === 'unknown-host' || reason === 'unreachable'
    ? 'Could not fetch this URL: the host is unknown, not on the public internet, or does not respond.'
    : message;

const TELEGRAM_HOSTS: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);

/** Channel of this site that a URL refers to: its id or username, or null if the URL cannot refer to any. */
export interface OwnChannelUrl {
  readonly channel: string | null;
}

/** Parses the path of a t.me link: a public channel, its preview or a post of it, or a private channel's number. */
const telegramChannelName = ([first = '', second = '']: readonly string[]): string | null =>
  (first === 's' || first === 'c' ? second : first) || null;

/** Parses the path of a channel's page or feed. */
function channelOfPath([first, second]: readonly string[]): string | null {
  if (first === 'channel') return second ?? null;
  return first === 'feeds' ? (/^(.+)\.(?:rss|atom|json)$/.exec(second ?? '')?.[1] ?? null) : null;
}

/**
 * Parses a URL that leads to a channel and not to a feed, by Telegram's links or on this site (`hosts` are its hosts).
 * Returns null for every other URL, and for text that is not a URL.
 */
export function parseOwnChannelUrl(text: string, hosts: ReadonlySet<string>): OwnChannelUrl | null {
  const trimmed = text.trim();
  const [, name = null] = /^@(\w{1,64})$/.exec(trimmed) ?? [];
  if (name !== null) return { channel: name };
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(address)) return null;
  const { protocol, host, hostname, pathname, searchParams } = new URL(address);
  if (protocol === 'tg:') return { channel: searchParams.get('domain') };
  const path = pathname.split('/').filter(Boolean);
  if (TELEGRAM_HOSTS.has(hostname)) return { channel: telegramChannelName(path) };
  if (!hosts.has(host)) return null;
  return { channel: channelOfPath(path) };
}
