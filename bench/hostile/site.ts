// Hostile input benchmark: the server under test.
import { request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readWebhookSecret } from '../../server/sources/telegram/receive-updates.ts';
import { startBotApi } from '../../test/bot-api/bot-api.ts';
import { channel, fill, makeApp, signIn, type TestApp } from '../../test/server/support/make-app.ts';
import { seed } from '../seed.ts';
import type { BodySchema } from './bodies.ts';

const POSTS = 2000;
const CHANNELS = 50;
/** Number of operators who send requests in rotation, because the number of changes per minute is limited for each. */
const OPERATORS = 60;

/** Length of the texts for a parameter without a maximum length, in characters. */
const DEFAULT_MAX_LENGTH = 8000;

const Parameter = Type.Object({ name: Type.String(), in: Type.String(), schema: Type.Optional(Type.Unknown()) });
const ApiDescription = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({
        parameters: Type.Optional(Type.Array(Parameter)),
        requestBody: Type.Optional(Type.Object({ content: Type.Record(Type.String(), Type.Object({ schema: Type.Unknown() })) })),
      }),
    ),
  ),
});

/** Route as in the API's own description, with a value for each path parameter. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly query: readonly { readonly name: string; readonly maxLength: number }[];
  readonly schema: BodySchema | undefined;
}

/** Server under test with 2000 posts over real HTTP and a bot. Operators send the requests in rotation. */
export interface Site {
  readonly testApp: TestApp;
  readonly routes: readonly Route[];
  /** Sends a request and returns the status of the response after the complete body has arrived. */
  send(method: string, url: string, body?: Buffer, headers?: Record<string, string>): Promise<number>;
  /** Headers of Telegram's calls of the webhook. */
  readonly telegram: Record<string, string>;
}

/** Returns a schema of the API's description. Its fields are not checked. */
const schemaOf = (raw: unknown): BodySchema | undefined => (typeof raw === 'object' && raw !== null ? { ...raw } : undefined);

async function routesOf({ app }: TestApp): Promise<Route[]> {
  const { paths } = Value.Parse(ApiDescription, (await app.inject('/api/docs/json')).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      url: path.replace(/\{\w+\}/g, '1'),
      query: parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => ({ name, maxLength: schemaOf(schema)?.maxLength ?? DEFAULT_MAX_LENGTH })),
      schema: schemaOf(requestBody?.content['application/json']?.schema),
    })),
  );
}

/** Starts the server under test. `scope` calls the cleanups that stop it. */
export async function openSite(scope: { after(cleanup: () => unknown): void }): Promise<Site> {
  const telegram = await startBotApi();
  scope.after(() => telegram.close());
  const ids = Array.from({ length: OPERATORS }, (_, index) => 9000 + index);
  const testApp = await makeApp(scope, {
    ...{ BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root, LOG_LEVEL: 'error' },
    OPERATOR_IDS: ids.join(),
  });
  await seed(testApp.store, POSTS, CHANNELS);
  await fill(testApp.store, channel('1', { username: 'alpha' }), 50);
  await testApp.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = testApp.app.server.address() as AddressInfo;
  const sessions = new Map<number, { 'access-token': string }>();
  let nextOperator = 0;
  const openNextSession = async () => {
    const id = ids[nextOperator++ % ids.length] ?? 0;
    const headers = sessions.get(id) ?? (await signIn(testApp, id, telegram.token));
    sessions.set(id, headers);
    return { id, headers };
  };
  const sendRequest = (method: string, url: string, body: Buffer | undefined, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
      const options = { port, host: '127.0.0.1', method, path: url, headers: { ...type, ...headers } };
      const request = openRequest(options, (response) => {
        response
          .resume()
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', reject);
      });
      request.on('error', reject).end(body);
    });
  return {
    testApp,
    routes: await routesOf(testApp),
    telegram: { 'x-telegram-bot-api-secret-token': await readWebhookSecret(testApp.store) },
    async send(method, url, body, headers) {
      if (headers !== undefined) return sendRequest(method, url, body, headers);
      const operator = await openNextSession();
      const status = await sendRequest(method, url, body, operator.headers);
      if (status === 401 || method === 'DELETE') sessions.delete(operator.id);
      return status;
    },
  };
}
