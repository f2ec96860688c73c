import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Channel } from '../../../contract/channel.ts';
import { feedName, isPublished } from '../../../contract/published.ts';
import { parseChannelNames } from '../../channels/find.ts';
import type { Config } from '../../config.ts';
import { sendPublicDocument } from '../../http/caching.ts';
import { checkEmbedding } from '../../http/cors.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import type { App } from '../../http/request.ts';
import { ChannelListParam, CursorParam, documentResponses } from '../../http/schemas.ts';
import { requireSearch, SearchFields } from '../../posts/pagination.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { BrandStore } from '../../web/brand.ts';
import { originOf, PUBLIC_ACCESS, readPublishedChannel, readPublishedChannels } from '../site.ts';
import { writeAtom } from './atom.ts';
import {
  channelFeed,
  DEFAULT_FEED_LIMIT,
  FEED_FORMATS,
  FEED_MIME_TYPES,
  type FeedFormat,
  feedAddress,
  lineupFeed,
  type PublishedFeedDeps,
  type PublishedFeedPage,
  readFeedPage,
  searchFeed,
} from './feed.ts';
import { writeJsonFeed } from './json-feed.ts';
import { writeNetworkOpml } from './opml.ts';
import { writeRss } from './rss.ts';

/** Services that this module uses. */
export type PublishedFeedRouteDeps = PublishedFeedDeps & {
  readonly config: Config;
  readonly store: Store;
  readonly brands: BrandStore;
};

const PagingFields = {
  before: Type.Optional(CursorParam),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_FEED_LIMIT }),
};
const ChannelQuerystring = Type.Object(PagingFields);
const LineupQuerystring = Type.Object({ ...PagingFields, channels: Type.Optional(ChannelListParam) });
const SearchQuerystring = Type.Object({ ...SearchFields, ...PagingFields });

const WRITERS: Readonly<Record<FeedFormat, (feed: PublishedFeedPage) => string>> = {
  rss: writeRss,
  atom: writeAtom,
  json: writeJsonFeed,
};

/** Feed routes: feeds of a channel, of several or all channels, and of a search, and the OPML list of all feeds. */
export function publishedFeedRoutes(app: App, deps: PublishedFeedRouteDeps): void {
  for (const format of FEED_FORMATS) {
    lineupFeedRoute(format, app, deps);
    searchFeedRoute(format, app, deps);
  }
  channelFeedRoute(app, deps);
  feedListRoute(app, deps);
}

const feedSchema = (format: FeedFormat) => ({
  tags: ['feeds'],
  response: documentResponses('A page of the feed', FEED_MIME_TYPES[format]),
});

function lineupFeedRoute(format: FeedFormat, app: App, deps: PublishedFeedRouteDeps): void {
  const summary = `The newest of several channels, or of all (${format})`;
  app.get(
    `/feeds/line-up.${format}`,
    { schema: { ...feedSchema(format), summary, querystring: LineupQuerystring } },
    async (request, reply) => {
      const { channels: channelList, ...page } = request.query;
      const { origin, siteName } = await readSite(request, deps);
      const { requested, channels } = await resolvePublishedChannels(channelList, deps);
      const feed = await readFeedPage(lineupFeed(requested, siteName, origin), { ...page, channels }, origin, deps);
      return sendFeed(feed, format, request, reply);
    },
  );
}

function searchFeedRoute(format: FeedFormat, app: App, deps: PublishedFeedRouteDeps): void {
  const summary = `What a search finds (${format})`;
  app.get(
    `/feeds/search.${format}`,
    { schema: { ...feedSchema(format), summary, querystring: SearchQuerystring } },
    async (request, reply) => {
      const { channels: channelList, ...search } = request.query;
      requireSearch(search);
      const { origin, siteName } = await readSite(request, deps);
      const { requested, channels } = await resolvePublishedChannels(channelList, deps);
      const feed = await readFeedPage(searchFeed(search, requested, siteName, origin), { ...search, channels }, origin, deps);
      return sendFeed(feed, format, request, reply);
    },
  );
}

function channelFeedRoute(app: App, deps: PublishedFeedRouteDeps): void {
  app.get(
    '/feeds/:file',
    {
      schema: {
        summary: 'The feed of a channel, as <username>.rss, .atom or .json',
        tags: ['feeds'],
        params: Type.Object({ file: Type.String({ minLength: 1, maxLength: 70 }) }),
        querystring: ChannelQuerystring,
        response: documentResponses('A page of the feed', ...Object.values(FEED_MIME_TYPES)),
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      const [, name, format] = FEED_FILE_NAME.exec(file) ?? [];
      if (name === undefined || !isFormat(format)) throw notFound(`The feed ${file}`);
      const channel = await readPublishedChannel(name, deps.store);
      const { origin } = await readSite(request, deps);
      const feed = channelFeed(channel, origin);
      // Each feed has one address, whatever the channel's name was when a reader subscribed.
      if (name !== feedName(channel)) return reply.redirect(feedAddress(feed, format, request.query), 301);
      return sendFeed(await readFeedPage(feed, { ...request.query, channels: [channel] }, origin, deps), format, request, reply);
    },
  );
}

function feedListRoute(app: App, deps: PublishedFeedRouteDeps): void {
  app.get(
    '/feeds/network.opml',
    {
      schema: {
        summary: 'The feeds of all channels, as OPML',
        tags: ['feeds'],
        response: documentResponses('OPML 2.0', OPML_MIME_TYPE),
      },
    },
    async (request, reply) => {
      const { origin, siteName } = await readSite(request, deps);
      const body = writeNetworkOpml(await readPublishedChannels(deps.store), siteName, origin);
      return sendPublicDocument(request, reply, { body, type: OPML_MIME_TYPE });
    },
  );
}

const OPML_MIME_TYPE = 'text/x-opml';

const FEED_FILE_NAME = /^(.+)\.([a-z]+)$/;

const isFormat = (value: string | undefined): value is FeedFormat => FEED_FORMATS.some((format) => format === value);

/** Returns the origin and the name of the site. Throws if EMBED_ORIGINS does not allow the request. */
async function readSite(request: FastifyRequest, { config, brands }: PublishedFeedRouteDeps) {
  checkEmbedding(request, config);
  await brands.refresh();
  return { origin: originOf(request, config), siteName: brands.get().name };
}

/**
 * Returns the published channels of a list of names. Omits all others. Throws an `HttpError`, 404, if none is
 * published.
 */
async function findPublishedChannels(channelList: string, { store }: PublishedFeedRouteDeps): Promise<Channel[]> {
  const channels = (await store.channelsNamed(parseChannelNames('channels', channelList), PUBLIC_ACCESS)).filter(isPublished);
  if (channels.length === 0) throw new HttpError(404, `None of these channels exists here: ${channelList.slice(0, 80)}.`);
  return channels;
}

/**
 * Returns the requested channels (null without a list) and the channels of the feed (all published ones without a
 * list). Without a demo, those are all that everyone sees, and need not be listed.
 */
async function resolvePublishedChannels(channelList: string | undefined, deps: PublishedFeedRouteDeps) {
  if (channelList !== undefined) {
    const requested = await findPublishedChannels(channelList, deps);
    return { requested, channels: requested };
  }
  const hasDemo = (await deps.store.demoChannelIds()).length > 0;
  return { requested: null, channels: hasDemo ? await readPublishedChannels(deps.store) : ('all' as const) };
}

function sendFeed(feed: PublishedFeedPage, format: FeedFormat, request: FastifyRequest, reply: FastifyReply) {
  // Search engines should index the page instead.
  reply.header('x-robots-tag', 'noindex');
  const modified = feed.entries.length === 0 ? {} : { modified: feed.updated };
  return sendPublicDocument(request, reply, { body: WRITERS[format](feed), type: FEED_MIME_TYPES[format], ...modified });
}
