import { Type } from 'typebox';
import { Problem } from '../../contract/api.ts';
import type { App } from '../app.ts';
import type { Context } from '../context.ts';
import { serveMedia } from '../media/serve.ts';

const MediaParams = Type.Object({ key: Type.String() });
const MediaQuerystring = Type.Object({ grant: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });

/** Kept files, by what is in them. */
export function mediaRoutes(app: App, context: Context): void {
  app.get(
    '/media/:key',
    {
      schema: {
        summary: 'A kept file',
        tags: ['media'],
        params: MediaParams,
        querystring: MediaQuerystring,
        response: { '4xx': Problem, '5xx': Problem },
      },
    },
    (request, reply) => {
      const { grant, name } = request.query;
      return serveMedia({ key: request.params.key, grant, name }, request, reply, context);
    },
  );
}
