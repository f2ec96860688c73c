/** Request context: the caller, the read permissions, other state of a request, and helpers for Fastify requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { Reader } from '../../contract/api.ts';
import type { AccessScope } from '../domain/model.ts';

/** Fastify instance whose handlers are typed by their schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

/** Caller of a request, as its Access-Token identifies it. */
export type Principal =
  | { readonly type: 'anonymous' }
  /** Page of a third-party site that was granted these private channels. The person who reads it is unknown. */
  | { readonly type: 'site'; readonly privateChannels: readonly string[] }
  | {
      readonly type: 'reader';
      readonly reader: Reader;
      readonly token: string;
      /** Requests the ids of the private channels that the reader is a member of. */
      readonly privateChannels: () => Promise<readonly string[]>;
    };

export const ANONYMOUS: Principal = { type: 'anonymous' };

/** Returns whether a response may contain private content. */
export const isPrivate = ({ accessScope }: FastifyRequest): boolean =>
  accessScope !== null && (accessScope.privateChannels === 'all' || accessScope.privateChannels.length > 0);

/** Marks a response as private to one reader: no cache stores it. */
export function markPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
}

/** Lets only the caller's own browser store a response, for example because the URL contains what the reader has read. */
export function markUnshared(reply: FastifyReply): void {
  reply.request.isUnshared = true;
}

/** Reasons for which requests are rejected and may be retried. */
export const REJECTION_REASONS = ['overload', 'database', 'disk', 'media', 'limit'] as const;

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    /** Read permissions for which the response was made; null until they are requested. */
    accessScope: AccessScope | null;
    /**
     * Reason for the rejection. It is set where the decision is made and counted when the response is sent
     * (`metrics.ts`).
     */
    rejection: (typeof REJECTION_REASONS)[number] | null;
    /** The response is public, but no shared cache stores it; see `markUnshared`. */
    isUnshared: boolean;
    /** Unexpected error that made the request fail. */
    failure: unknown;
  }
}

/** Declares the state of each request. It is called before all hooks and routes that use the state. */
export function decorateRequestState(app: App): void {
  app.decorateRequest('principal');
  app.decorateRequest('accessScope', null);
  app.decorateRequest('rejection', null);
  app.decorateRequest('isUnshared', false);
  app.decorateRequest('failure', null);
}

/** Throws if the state of requests is not declared yet, so that a wrong order of plugins fails at start. */
export function requireRequestState(app: App): void {
  if (!app.hasRequestDecorator('rejection')) throw new Error('decorateRequestState must be called before this plugin.');
}

/** Returns the path of a request's URL, as it was sent. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

/** Returns whether a path is for programs. They get a problem response where a person gets the not-found page. */
export const isProgrammaticPath = (url: string): boolean => /^\/(api|media|feeds|oembed)(\/|$)/.test(pathOf(url));
