import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { type App, markPrivate } from '../http/request.ts';
import { responses } from '../http/schemas.ts';
import { assertFreeSpace } from '../lib/free-space.ts';
import { withTimeout } from '../lib/time.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type HealthDeps = {
  readonly config: Config;
  readonly store: Pick<Store, 'assertHealthy'>;
  readonly web: () => { readonly build: { readonly version: string } };
};

/**
 * Response of the health check. `ready`: readers get responses. `failed` also lists the disk, which reading does not
 * need.
 */
const Health = Type.Object({
  live: Type.Boolean(),
  ready: Type.Boolean(),
  failed: Type.Array(Type.Union([Type.Literal('database'), Type.Literal('disk')])),
  version: Type.String(),
});

const Version = Type.Object({ version: Type.String() });

/** Health check (/healthz): reports whether the server is live and ready, and its version. */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/healthz',
    { schema: { summary: 'Health check', tags: ['server'], response: { ...responses(Health), 503: Health } } },
    async (_request, reply) => {
      markPrivate(reply);
      const [database, disk] = await Promise.allSettled([
        withTimeout(deps.store.assertHealthy()),
        assertFreeSpace(deps.config.dataDir),
      ]);
      const ready = database.status === 'fulfilled';
      const failed = [...(ready ? [] : ['database' as const]), ...(disk.status === 'fulfilled' ? [] : ['disk' as const])];
      return reply.code(ready ? 200 : 503).send({ live: true, ready, failed, version: deps.web().build.version });
    },
  );

  app.get(
    '/api/version',
    { schema: { summary: 'Version of the server', tags: ['server'], response: responses(Version) } },
    async () => ({
      version: deps.web().build.version,
    }),
  );
}
