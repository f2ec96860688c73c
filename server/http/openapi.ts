import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { App } from './request.ts';

/** OpenAPI documentation at /api/docs, generated from the schemas that validate requests. */
export async function registerApiDocs(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Channel Changer',
        version: '1',
        description: 'Channels, posts and the data of readers. Errors are RFC 9457 problems.',
      },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Access-Token' } } },
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
}
