import type { FastifyRequest } from 'fastify';
import type { Live } from './event-hub.ts';

/** Services that this module uses. */
export type NotifyReaderDeps = { readonly live: Pick<Live, 'tellReader'> };

/** Lets the reader's other pages know that what is the reader's own has changed. */
export function tellOwnPages({ who }: FastifyRequest, { live }: NotifyReaderDeps): void {
  if (who.type === 'reader') live.tellReader(who.reader.id, who.token);
}
