import { Type } from 'typebox';
import { AuditPage } from '../../contract/operator.ts';
import type { App } from '../http/request.ts';
import { LimitParam, MessageId, responses } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { type OperatorAccessDeps, requireOperatedChannel, requireOperatorAccess } from './access.ts';

/** Services that this module uses. */
export type AuditRouteDeps = OperatorAccessDeps & {
  readonly store: Pick<Store, 'auditEntries'>;
};

const AuditQuerystring = Type.Object({
  /** Id of an audit event: `next` of a page. */
  before: Type.Optional(MessageId),
  channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  limit: LimitParam,
});

/** Audit log route: lists the actions of operators with their users and times. */
export function auditRoutes(app: App, deps: AuditRouteDeps): void {
  app.get(
    '/api/operator/audit',
    {
      schema: {
        summary: 'Audit log of operators, newest first',
        tags: ['operator'],
        querystring: AuditQuerystring,
        response: responses(AuditPage),
      },
    },
    async (request, reply) => {
      const { before, channel, limit } = request.query;
      const { reader, channels } =
        channel === undefined
          ? await requireOperatorAccess(request, reply, deps)
          : await requireOperatedChannel(channel, request, reply, deps).then((operated) => ({
              ...operated,
              channels: [operated.channel],
            }));
      const isUnrestricted = reader.operator && channel === undefined;
      const entries = await deps.store.auditEntries({
        limit: limit + 1,
        ...(before !== undefined && { before }),
        ...(!isUnrestricted && { channelIds: channels.map(({ id }) => id) }),
      });
      const items = entries.slice(0, limit);
      return { items, next: entries.length > limit ? String(items.at(-1)?.id) : null };
    },
  );
}
