/**
 * Readers add feeds for themselves, also anonymous ones: in a browser there is no other sign-in. So all of it has an end: how
 * many feeds there are (READER_FEEDS), how many an address may add an hour, how many are looked at at a time; and what is said
 * of a host that is not public is what is said of one that is not there.
 */
import type { FastifyRequest } from 'fastify';
import { Channel } from '../../contract/channel.ts';
import { AddFeed } from '../../contract/operator.ts';
import { audienceOf } from '../auth/identity.ts';
import { presentChannels, type SerializeDeps } from '../channels/serialize.ts';
import type { Config } from '../config.ts';
import { clientOf } from '../http/client.ts';
import { Refusal } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { answers } from '../http/schemas.ts';
import { createPlaces } from '../lib/concurrency.ts';
import { FetchRefused } from '../sources/fetch/errors.ts';
import { FeedUnreadable, type FeedWork } from '../sources/rss/types.ts';

/** Services that this module uses. */
export type ReaderFeedDeps = SerializeDeps & FeedWork & { readonly config: Config };

/** A list of a hundred feeds is brought along at once; more wait for the next hour. */
const RATE = { max: 100, timeWindow: 3_600_000 };
/** Feeds that are looked at at a time, by all and for one address: each may take 10 MB and 40 s. */
const AT_ONCE = { all: 16, each: 4 };
/** Seconds after which one who found no place may try again. */
const PATIENCE = '5';

/** Following a feed from elsewhere. */
export function readerFeedRoutes(app: App, deps: ReaderFeedDeps): void {
  const whose = ({ raw }: FastifyRequest): string => clientOf(raw, deps.config);
  const places = createPlaces(AT_ONCE);
  const tooMany = () => new Refusal(429, `Only ${RATE.max} feeds an hour can be added from one address: try again later.`);

  app.post(
    '/api/feeds',
    {
      config: { changes: 'anyone', rateLimit: { ...RATE, keyGenerator: whose, errorResponseBuilder: tooMany } },
      schema: { summary: 'Follow a feed from elsewhere', tags: ['channels'], body: AddFeed, response: answers(Channel) },
    },
    async (request, reply) => {
      if (deps.config.readerFeeds === 0)
        throw new Refusal(403, 'Readers cannot add feeds here: ask who runs this site to add it.');
      const leave = places.take(whose(request));
      if (leave === null) {
        reply.header('retry-after', PATIENCE);
        throw new Refusal(429, 'Too many feeds are being looked at just now: try again in some seconds.');
      }
      try {
        const { url } = request.body;
        const channel = (await ownChannel(url, request, deps)) ?? (await addedChannel(url, deps));
        return presentChannels([channel], deps)[0] ?? channel;
      } finally {
        leave();
      }
    },
  );
}

/** The channel of this site that an address leads to; null where it leads out of it. */
async function ownChannel(url: string, request: FastifyRequest, { config, store }: ReaderFeedDeps): Promise<Channel | null> {
  const hosts = new Set([request.host, ...(config.publicUrl === null ? [] : [new URL(config.publicUrl).host])]);
  const own = readOwnAddress(url, hosts);
  if (own === null) return null;
  const channel = own.channel === null ? null : await store.channel(own.channel, await audienceOf(request));
  if (channel === null) throw new Refusal(422, 'This leads to no channel that is here, and to no feed.');
  return channel;
}

async function addedChannel(url: string, deps: ReaderFeedDeps): Promise<Channel> {
  const { readerFeeds } = deps.config;
  const { addFeedElsewhere } = await import('../sources/rss/add-feed.ts');
  const channel = await addFeedElsewhere(url, readerFeeds, deps).catch((error: unknown) => {
    if (error instanceof FetchRefused) throw new Refusal(422, sentenceOf(error));
    if (error instanceof FeedUnreadable) throw new Refusal(422, error.message);
    throw error;
  });
  if (channel !== null) return channel;
  throw new Refusal(403, `Readers have added ${readerFeeds} feeds here, and that is as many as there may be.`);
}

/** Names inside a network are not told from names that nobody has. */
const sentenceOf = ({ reason, message }: FetchRefused): string =>
  reason === 'private' || reason === 'unknown-host' || reason === 'unreachable'
    ? 'Nothing can be fetched from there: the host is not known, not on the public internet, or does not answer.'
    : message;

const TELEGRAM: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);

/** What an address says of a channel of ours: which one (an id or username), or null where it could only be none. */
export interface OwnAddress {
  readonly channel: string | null;
}

/** A link to a public channel, its preview or a post of it, or by a private channel's number. */
const telegramName = ([first = '', second = '']: readonly string[]): string | null =>
  (first === 's' || first === 'c' ? second : first) || null;

/** A channel's page or feed. */
function pageOrFeed([first, second]: readonly string[]): string | null {
  if (first === 'channel') return second ?? null;
  return first === 'feeds' ? (/^(.+)\.(?:rss|atom|json)$/.exec(second ?? '')?.[1] ?? null) : null;
}

/**
 * Reads an address that is no feed's, for it leads to a channel by Telegram's links, or into this site (`hosts` are its own);
 * null for every other one, and for what is no address.
 */
export function readOwnAddress(text: string, hosts: ReadonlySet<string>): OwnAddress | null {
  const given = text.trim();
  const [, name = null] = /^@(\w{1,64})$/.exec(given) ?? [];
  if (name !== null) return { channel: name };
  const spelledOut = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(given) ? given : `https://${given}`;
  if (!URL.canParse(spelledOut)) return null;
  const { protocol, host, hostname, pathname, searchParams } = new URL(spelledOut);
  if (protocol === 'tg:') return { channel: searchParams.get('domain') };
  const path = pathname.split('/').filter(Boolean);
  if (TELEGRAM.has(hostname)) return { channel: telegramName(path) };
  if (!hosts.has(host)) return null;
  return { channel: pageOrFeed(path) };
}
