import { Type } from 'typebox';
import { GapPage } from '../../../contract/operator.ts';
import type { App } from '../../http/request.ts';
import { answers, Limit } from '../../http/schemas.ts';
import { type OperatorAccessDeps, operatedChannels } from '../../operators/access.ts';
import type { Store } from '../../storage/ports/store.ts';

/** Services that this module uses. */
export type GapDeps = OperatorAccessDeps & {
  readonly store: Pick<Store, 'gaps'>;
};

const GapsQuerystring = Type.Object({
  channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  limit: Limit,
});

/** Places where posts may be missing; an import of the channel's export fills them. */
export function gapRoutes(app: App, deps: GapDeps): void {
  app.get(
    '/api/operator/gaps',
    {
      schema: {
        summary: 'Where posts may be missing, the newest first in each channel',
        tags: ['operator'],
        querystring: GapsQuerystring,
        response: answers(GapPage),
      },
    },
    async (request, reply) => {
      const { channel: asked, limit } = request.query;
      const channels = await operatedChannels(asked, request, reply, deps);
      const lists = channels.map(async ({ id }) => (await deps.store.gaps(id, limit)).map((gap) => ({ channelId: id, ...gap })));
      return { items: (await Promise.all(lists)).flat().slice(0, limit), next: null };
    },
  );
}
