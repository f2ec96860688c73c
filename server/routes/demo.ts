import { requireOperator } from '../auth/identity.ts';
import type { App } from '../http/request.ts';
import { silence } from '../http/schemas.ts';
import { type AuditDeps, actOf } from '../observability/audit-log.ts';
import { removeDemo } from '../sources/demo.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type DemoDeps = AuditDeps & {
  readonly store: Store;
};

/** Taking the demo network away, by one act. */
export function demoRoutes(app: App, deps: DemoDeps): void {
  app.delete(
    '/api/demo',
    { schema: { summary: 'Remove the demo network', tags: ['operator'], response: silence } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      await removeDemo(deps.store, actOf(deps, reader, 'remove-demo'));
      return reply.code(204).send(null);
    },
  );
}
