import { Rights } from '../../contract/operator.ts';
import { requireReader } from '../auth/identity.ts';
import { type App, markPrivate } from '../http/request.ts';
import { responses } from '../http/schemas.ts';

/** Services that this module uses. */
export type RightsDeps = {
  readonly operatedChannels: (readerId: string) => Promise<readonly string[]>;
};

/**
 * Moderation rights: channels whose posts the reader may hide. Every signed-in reader requests them, so the route never
 * responds with 403.
 */
export function rightsRoutes(app: App, deps: RightsDeps): void {
  app.get(
    '/api/operator/rights',
    { schema: { summary: 'Channels whose posts the reader may hide', tags: ['operator'], response: responses(Rights) } },
    async (request, reply) => {
      markPrivate(reply);
      const reader = requireReader(request, reply);
      return { all: reader.operator, channels: reader.operator ? [] : [...(await deps.operatedChannels(reader.id))] };
    },
  );
}
