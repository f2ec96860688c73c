import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { type App, markPrivate } from '../http/request.ts';
import { responses } from '../http/schemas.ts';
import { assertFreeSpace } from '../lib/free-space.ts';
import { withTimeout } from '../lib/time.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type HealthDeps = {
  readonly config: Config;
  readonly store: Pick<Store, 'assertHealthy'>;
  readonly mediaStore: Pick<MediaStore, 'assertHealthy'>;
  readonly web: () => { readonly build: { readonly version: string } };
};

/**
 * Response of the health check. `ready`: readers get responses, and a load balancer may send requests. `stopping`: the
 * process shuts down and is therefore not ready. `failed` also lists the disk, which reading does not need, and the object
 * storage of media files, without which posts have no pictures.
 */
const Health = Type.Object({
  live: Type.Boolean(),
  ready: Type.Boolean(),
  stopping: Type.Boolean(),
  failed: Type.Array(Type.Union([Type.Literal('database'), Type.Literal('disk'), Type.Literal('media')])),
  version: Type.String(),
});

const Version = Type.Object({ version: Type.String() });

/** Health check (/healthz): reports whether the server is live and ready, and its version. */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/healthz',
    {
      config: { readsPrimary: true },
      schema: { summary: 'Health check', tags: ['server'], response: { ...responses(Health), 503: Health } },
    },
    async (_request, reply) => {
      markPrivate(reply);
      const [database, disk, media] = await Promise.allSettled([
        withTimeout(deps.store.assertHealthy()),
        assertFreeSpace(deps.config.dataDir),
        withTimeout(deps.mediaStore.assertHealthy()),
      ]);
      const failed = [
        ...(database.status === 'fulfilled' ? [] : ['database' as const]),
        ...(disk.status === 'fulfilled' ? [] : ['disk' as const]),
        ...(media.status === 'fulfilled' ? [] : ['media' as const]),
      ];
      // Read after the checks, which may take two seconds: the shutdown may have begun in the meantime.
      const stopping = app.isShuttingDown();
      const ready = database.status === 'fulfilled' && !stopping;
      return reply.code(ready ? 200 : 503).send({ live: true, ready, stopping, failed, version: deps.web().build.version });
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
