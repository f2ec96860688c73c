import type { GetOptions, HttpClient } from './types.ts';

/**
 * Hydration data: the API responses that the server used to render the page, by `hydrationKey`. `at` is the time of the rendering,
 * unix ms.
 */
export interface HydratedResponses {
  readonly [key: string]: unknown;
  readonly at?: number;
}

/** Reads the embedded responses from the document; returns none where the server did not render the page. */
export const readHydration = (): HydratedResponses => JSON.parse(document.getElementById('answers')?.textContent ?? '{}');

/** Returns the key of a read request among the embedded responses. */
export const hydrationKey = (path: string, { params = {} }: GetOptions = {}): string => path + JSON.stringify(params);

/** A client that accepts preloaded responses. */
export interface HydratedClient extends HttpClient {
  addResponses(more: HydratedResponses): void;
}

/** Wraps a client: each preloaded response is returned once; all other reads go to `client`. */
export function withHydration(client: HttpClient, initialResponses: HydratedResponses = {}): HydratedClient {
  let responses: Record<string, unknown> = { ...initialResponses };
  return {
    ...client,
    async get(path, options) {
      const key = hydrationKey(path, options);
      const response = responses[key];
      delete responses[key];
      return response ?? client.get(path, options);
    },
    addResponses(more) {
      responses = { ...responses, ...more };
    },
    clearCache() {
      responses = {};
      client.clearCache();
    },
  };
}
