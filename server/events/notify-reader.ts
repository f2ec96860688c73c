import type { FastifyRequest } from 'fastify';
import type { Live } from './event-hub.ts';

/** Services that this module uses. */
export type NotifyReaderDeps = { readonly live: Pick<Live, 'tellReader'> };

/** Notifies the reader's other pages that the reader's own data changed. */
export function tellOwnPages({ who }: FastifyRequest, { live }: NotifyReaderDeps): void {
  if (who.type === 'reader') live.tellReader(who.reader.id, who.token);
}
