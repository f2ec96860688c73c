import { Type } from 'typebox';
import type { App } from '../app.ts';
import { markOwn } from '../auth/who.ts';
import type { Context } from '../context.ts';
import { answers } from './answers.ts';

const Health = Type.Object({ live: Type.Boolean(), ready: Type.Boolean(), version: Type.String() });
const Version = Type.Object({ version: Type.String() });

/** Whether the server lives and can answer, and which version it is. */
export function healthRoutes(app: App, context: Context): void {
  app.get(
    '/healthz',
    { schema: { summary: 'Live and ready', tags: ['server'], response: { ...answers(Health), 503: Health } } },
    async (_request, reply) => {
      markOwn(reply);
      const ready = await context.store.isEmpty().then(
        () => true,
        () => false,
      );
      return reply.code(ready ? 200 : 503).send({ live: true, ready, version: context.web().build.version });
    },
  );

  app.get('/api/version', { schema: { summary: 'The version', tags: ['server'], response: answers(Version) } }, async () => ({
    version: context.web().build.version,
  }));
}
