import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { Reader } from '../../contract/api.ts';
import type { Audience } from '../domain/model.ts';

/** A server whose handlers get and give what their schemas say. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

export type Who =
  | { readonly type: 'anonymous' }
  /** A page of a site that was granted these private channels; nobody knows who reads it. */
  | { readonly type: 'site'; readonly privateChannels: readonly string[] }
  | {
      readonly type: 'reader';
      readonly reader: Reader;
      readonly token: string;
      /** Asks of which private channels the reader is a member. */
      readonly privateChannels: () => Promise<readonly string[]>;
    };

export const ANONYMOUS: Who = { type: 'anonymous' };

/** Whether an answer may hold what only some may read. */
export const isPrivate = ({ audience }: FastifyRequest): boolean =>
  audience !== null && (audience.privateChannels === 'all' || audience.privateChannels.length > 0);

/** Says that an answer is one reader's own: no cache keeps it. */
export function markOwn(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
}

declare module 'fastify' {
  interface FastifyRequest {
    who: Who;
    /** For whose eyes the answer was made; null while nobody asked. */
    audience: Audience | null;
  }
}

/** The path of a request's address, as it was sent. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

/** Whether an address belongs to programs, who get a problem where a person gets the not-found page. */
export const isForPrograms = (url: string): boolean => /^\/(api|media|feeds|oembed)(\/|$)/.test(pathOf(url));
