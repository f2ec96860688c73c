import type { FastifyRequest } from 'fastify';
import type { EventHub } from './event-hub.ts';

/** Services that this module uses. */
export type NotifyReaderDeps = { readonly eventHub: Pick<EventHub, 'notifyReader'> };

/** Reader notification: notifies the reader's other pages that the reader's own data changed. */
export function notifyOtherSessions({ principal }: FastifyRequest, { eventHub }: NotifyReaderDeps): void {
  if (principal.type === 'reader') eventHub.notifyReader(principal.reader.id, principal.token);
}
