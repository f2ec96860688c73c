import { Rights } from '../../contract/operator.ts';
import { requireReader } from '../auth/identity.ts';
import { type App, markOwn } from '../http/request.ts';
import { answers } from '../http/schemas.ts';

/** Services that this module uses. */
export type RightsDeps = {
  readonly operated: (readerId: string) => Promise<readonly string[]>;
};

/**
 * Moderation rights: channels whose posts the reader may hide. Every signed-in reader requests them, so the route never responds
 * with 403.
 */
export function rightsRoutes(app: App, deps: RightsDeps): void {
  app.get(
    '/api/operator/rights',
    { schema: { summary: 'The channels whose posts the reader may hide', tags: ['operator'], response: answers(Rights) } },
    async (request, reply) => {
      markOwn(reply);
      const reader = requireReader(request, reply);
      return { all: reader.operator, channels: reader.operator ? [] : [...(await deps.operated(reader.id))] };
    },
  );
}
