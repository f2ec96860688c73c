import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { Refusal } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { documents } from '../http/schemas.ts';
import { sendPublished } from '../publish/send.ts';
import { type OembedDeps, oembedOf, oembedXml } from '../publishing/oembed.ts';
import { originOf } from '../publishing/site.ts';
import type { Brands } from '../web/brand.ts';

/** Services that this module uses. */
export type OembedRouteDeps = OembedDeps & {
  readonly config: Config;
  readonly brands: Brands;
};

const Pixels = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }));

const OembedQuerystring = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'The address of a channel or of a post of this site' }),
  format: Type.String({ maxLength: 20, default: 'json', description: 'json or xml' }),
  maxwidth: Pixels,
  maxheight: Pixels,
});

/**
 * What an editor or a chat makes of an address that is pasted into it. EMBED_ORIGINS says who may read the tag's data, not who may
 * ask for the tag.
 */
export function oembedRoutes(app: App, deps: OembedRouteDeps): void {
  app.get(
    '/oembed',
    {
      schema: {
        summary: 'A channel or post to be embedded, as oEmbed',
        tags: ['embedding'],
        querystring: OembedQuerystring,
        response: documents('oEmbed 1.0', 'application/json', 'text/xml'),
      },
    },
    async (request, reply) => {
      const { url, format, ...room } = request.query;
      if (format !== 'json' && format !== 'xml') throw new Refusal(501, `There is no oEmbed as ${format}: ask for json or xml.`);
      await deps.brands.follow();
      const answer = await oembedOf(url, room, originOf(request, deps.config), deps);
      if (format === 'xml') return sendPublished(request, reply, { body: oembedXml(answer), type: 'text/xml' });
      return sendPublished(request, reply, { body: JSON.stringify(answer), type: 'application/json' });
    },
  );
}
