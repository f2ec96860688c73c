/** Replica reads: requests whose reads may come from a replica of the database (DATABASE_REPLICA_URL). */
import { allowReplica } from '../lib/replica-scope.ts';
import { hasCredentials } from './caching.ts';
import type { App } from './request.ts';

/**
 * Lets GET requests without credentials read from the replica. A signed-in reader must find what they wrote a moment ago, so
 * the requests of readers always read from the primary database.
 */
export function allowReplicaReads(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && !hasCredentials(request) && request.routeOptions.config.readsPrimary !== true) allowReplica(done);
    else done();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads from the primary database even for anonymous callers. */
    readsPrimary?: boolean;
  }
}
