import { actOf } from '../acts.ts';
import { requireOperator } from '../auth/who.ts';
import type { Context } from '../context.ts';
import { removeDemo } from '../demo.ts';
import type { App } from '../http/request.ts';
import { silence } from './answers.ts';

/** Taking the demo network away, by one act. */
export function demoRoutes(app: App, context: Context): void {
  app.delete(
    '/api/demo',
    { schema: { summary: 'Remove the demo network', tags: ['operator'], response: silence } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      await removeDemo(context.store, actOf(context, reader, 'remove-demo'));
      return reply.code(204).send(null);
    },
  );
}
