import { Type } from 'typebox';
import { Problem } from '../../contract/api.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/request.ts';
import { readSizeName } from '../media/place.ts';
import { serveMedia, serveSize } from '../media/serve.ts';
import { createSizes } from '../media/sizes.ts';

const MediaParams = Type.Object({ key: Type.String() });
const MediaQuerystring = Type.Object({ grant: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });

/** Kept files, by what is in them; pictures also in smaller sizes, as `<hash>.w640.webp`. */
export function mediaRoutes(app: App, context: Context): void {
  const sizes = createSizes({ dataDir: context.config.dataDir, store: context.store });
  app.get(
    '/media/:key',
    {
      schema: {
        summary: 'A kept file, or a smaller size of a picture',
        tags: ['media'],
        params: MediaParams,
        querystring: MediaQuerystring,
        response: { '4xx': Problem, '5xx': Problem },
      },
    },
    async (request, reply) => {
      const { grant, name } = request.query;
      const size = readSizeName(request.params.key);
      if (size === null) return serveMedia({ key: request.params.key, grant, name }, request, reply, context);
      const key = (await context.store.fileOfHash(size.hash)) ?? request.params.key;
      return serveSize({ key, grant, name, width: size.width }, request, reply, context, sizes);
    },
  );
}
