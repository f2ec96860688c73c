import { Type } from 'typebox';
import { Problem } from '../../contract/api.ts';
import type { Config } from '../config.ts';
import type { App } from '../http/request.ts';
import { readSizeName } from '../media/files.ts';
import { type ServeMediaDeps, serveMedia, serveSize } from '../media/routes.ts';
import { createSizes } from '../media/thumbnails.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type MediaRouteDeps = ServeMediaDeps & {
  readonly config: Config;
  readonly store: Store;
};

const MediaParams = Type.Object({ key: Type.String() });
const MediaQuerystring = Type.Object({ grant: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });

/** Kept files, by what is in them; pictures also in smaller sizes, as `<hash>.w640.webp`. */
export function mediaRoutes(app: App, deps: MediaRouteDeps): void {
  const sizes = createSizes({ dataDir: deps.config.dataDir, store: deps.store });
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
      if (size === null) return serveMedia({ key: request.params.key, grant, name }, request, reply, deps);
      const key = (await deps.store.fileOfHash(size.hash)) ?? request.params.key;
      return serveSize({ key, grant, name, width: size.width }, request, reply, deps, sizes);
    },
  );
}
