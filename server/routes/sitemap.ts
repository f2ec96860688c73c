import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { documents } from '../http/schemas.ts';
import { sendPublished } from '../publish/send.ts';
import { originOf, publishedChannel } from '../publishing/site.ts';
import { writePagesMap, writePostsMap, writeRobots, writeSitemapIndex } from '../publishing/sitemap.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type SitemapDeps = {
  readonly config: Config;
  readonly store: Store;
};

const XML = 'application/xml';

/** What tells search engines which pages there are. */
export function sitemapRoutes(app: App, deps: SitemapDeps): void {
  const { store, config } = deps;
  const tags = ['search engines'];

  app.get(
    '/robots.txt',
    { schema: { summary: 'What robots may read', tags, response: documents('robots.txt', 'text/plain') } },
    (request, reply) => sendPublished(request, reply, { body: writeRobots(originOf(request, config)), type: 'text/plain' }),
  );

  app.get(
    '/sitemap.xml',
    { schema: { summary: 'The index of the map of the site', tags, response: documents('A sitemap index', XML) } },
    async (request, reply) =>
      sendPublished(request, reply, { body: await writeSitemapIndex(originOf(request, config), store), type: XML }),
  );

  app.get(
    '/sitemap/:part',
    {
      schema: {
        summary: 'A part of the map of the site, as its index names it',
        tags,
        params: Type.Object({ part: Type.String({ minLength: 1, maxLength: 100 }) }),
        response: documents('A sitemap', XML),
      },
    },
    async (request, reply) => {
      const body = await writePart(request.params.part, originOf(request, config), deps);
      if (body === null) throw notFound(`The sitemap ${request.params.part}`);
      return sendPublished(request, reply, { body, type: XML });
    },
  );
}

async function writePart(part: string, origin: string, { store }: SitemapDeps): Promise<string | null> {
  if (part === 'pages.xml') return writePagesMap(origin, store);
  const [, id, from] = /^(.+)-(\d{1,11})\.xml$/.exec(part) ?? [];
  if (id === undefined) return null;
  const channel = await publishedChannel(id, store);
  // By its id alone: every part has one address.
  return channel.id === id ? writePostsMap(channel, Number(from), origin, store) : null;
}
