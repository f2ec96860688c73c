import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Channel } from '../../../contract/channel.ts';
import { feedName, isPublished } from '../../../contract/published.ts';
import { namesIn } from '../../channels/find.ts';
import type { Config } from '../../config.ts';
import { sendPublished } from '../../http/caching.ts';
import { notFound, Refusal } from '../../http/errors.ts';
import type { App } from '../../http/request.ts';
import { ChannelList, Cursor, documents } from '../../http/schemas.ts';
import { checkEmbedding } from '../../http/security.ts';
import { requireSearch, SearchFields } from '../../posts/pagination.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { Brands } from '../../web/brand.ts';
import { EVERYBODY, originOf, publishedChannel, publishedChannels } from '../site.ts';
import { writeAtom } from './atom.ts';
import {
  channelFeed,
  FEED_LIMIT,
  type Feed,
  FORMATS,
  type Format,
  feedAddress,
  lineupFeed,
  MIME,
  type PublishedFeedDeps,
  readFeed,
  searchFeed,
} from './feed.ts';
import { writeJsonFeed } from './json-feed.ts';
import { writeOpml } from './opml.ts';
import { writeRss } from './rss.ts';

/** Services that this module uses. */
export type PublishedFeedRouteDeps = PublishedFeedDeps & {
  readonly config: Config;
  readonly store: Store;
  readonly brands: Brands;
};

const Paging = {
  before: Type.Optional(Cursor),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: FEED_LIMIT }),
};
const ChannelQuerystring = Type.Object(Paging);
const LineupQuerystring = Type.Object({ ...Paging, channels: Type.Optional(ChannelList) });
const SearchQuerystring = Type.Object({ ...SearchFields, ...Paging });

const WRITERS: Readonly<Record<Format, (feed: Feed) => string>> = { rss: writeRss, atom: writeAtom, json: writeJsonFeed };

/** Feed routes: feeds of a channel, of several or all channels, and of a search, and the OPML list of all feeds. */
export function publishedFeedRoutes(app: App, deps: PublishedFeedRouteDeps): void {
  for (const format of FORMATS) {
    const schema = { tags: ['feeds'], response: documents('A page of the feed', MIME[format]) };

    app.get(
      `/feeds/line-up.${format}`,
      { schema: { ...schema, summary: `The newest of several channels, or of all (${format})`, querystring: LineupQuerystring } },
      async (request, reply) => {
        const { channels: named, ...page } = request.query;
        const { origin, site } = await placeOf(request, deps);
        const asked = named === undefined ? null : await publishedOf(named, deps);
        const channels = asked ?? (await publishedChannels(deps.store));
        const feed = await readFeed(lineupFeed(asked, site, origin), { ...page, channels }, origin, deps);
        return sendFeed(feed, format, request, reply);
      },
    );

    app.get(
      `/feeds/search.${format}`,
      { schema: { ...schema, summary: `What a search finds (${format})`, querystring: SearchQuerystring } },
      async (request, reply) => {
        const { channels: named, ...search } = request.query;
        requireSearch(search);
        const { origin, site } = await placeOf(request, deps);
        const asked = named === undefined ? null : await publishedOf(named, deps);
        const channels = asked ?? (await publishedChannels(deps.store));
        const feed = await readFeed(searchFeed(search, asked, site, origin), { ...search, channels }, origin, deps);
        return sendFeed(feed, format, request, reply);
      },
    );
  }

  app.get(
    '/feeds/:file',
    {
      schema: {
        summary: 'The feed of a channel, as <username>.rss, .atom or .json',
        tags: ['feeds'],
        params: Type.Object({ file: Type.String({ minLength: 1, maxLength: 70 }) }),
        querystring: ChannelQuerystring,
        response: documents('A page of the feed', ...Object.values(MIME)),
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      const [, name, format] = FILE.exec(file) ?? [];
      if (name === undefined || !isFormat(format)) throw notFound(`The feed ${file}`);
      const channel = await publishedChannel(name, deps.store);
      const { origin } = await placeOf(request, deps);
      const head = channelFeed(channel, origin);
      // Each feed has one address, whatever the channel's name was when a reader subscribed.
      if (name !== feedName(channel)) return reply.redirect(feedAddress(head, format, request.query), 301);
      return sendFeed(await readFeed(head, { ...request.query, channels: [channel] }, origin, deps), format, request, reply);
    },
  );

  app.get(
    '/feeds/network.opml',
    { schema: { summary: 'The feeds of all channels, as OPML', tags: ['feeds'], response: documents('OPML 2.0', OPML) } },
    async (request, reply) => {
      const { origin, site } = await placeOf(request, deps);
      const body = writeOpml(await publishedChannels(deps.store), site, origin);
      return sendPublished(request, reply, { body, type: OPML });
    },
  );
}

const OPML = 'text/x-opml';

const FILE = /^(.+)\.([a-z]+)$/;

const isFormat = (word: string | undefined): word is Format => FORMATS.some((format) => format === word);

/** Checks EMBED_ORIGINS for the request, and returns the origin and the name of the site. */
async function placeOf(request: FastifyRequest, { config, brands }: PublishedFeedRouteDeps) {
  checkEmbedding(request, config);
  await brands.follow();
  return { origin: originOf(request, config), site: brands.get().name };
}

/** Returns the published channels of a list of names. Others are left out; without any, it is a 404. */
async function publishedOf(named: string, { store }: PublishedFeedRouteDeps): Promise<Channel[]> {
  const channels = (await store.channelsNamed(namesIn('channels', named), EVERYBODY)).filter(isPublished);
  if (channels.length === 0) throw new Refusal(404, `None of these channels is here: ${named.slice(0, 80)}.`);
  return channels;
}

function sendFeed(feed: Feed, format: Format, request: FastifyRequest, reply: FastifyReply) {
  // Search engines should index the page instead.
  reply.header('x-robots-tag', 'noindex');
  const modified = feed.entries.length === 0 ? {} : { modified: feed.updated };
  return sendPublished(request, reply, { body: WRITERS[format](feed), type: MIME[format], ...modified });
}
