import type { GetOptions, HttpClient } from './types.ts';

/**
 * Hydration data: the API responses that the server used to render the page, by `hydrationKey`. `at` is the time of the
 * rendering, unix ms.
 */
export interface HydratedResponses {
  readonly [key: string]: unknown;
  readonly at?: number;
}

/** Reads the embedded responses from the document; returns none where the server did not render the page. */
export const readHydration = (): HydratedResponses => JSON.parse(document.getElementById('answers')?.textContent ?? '{}');

/** Returns the key that a read request has in `HydratedResponses`. */
export const hydrationKey = (path: string, { params = {} }: GetOptions = {}): string => path + JSON.stringify(params);

/** A client that accepts preloaded responses. */
export interface HydratedClient extends HttpClient {
  addResponses(addedResponses: HydratedResponses): void;
}

/** Wraps a client: returns each preloaded response once. All other reads are sent with `client`. */
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
    addResponses(addedResponses) {
      responses = { ...responses, ...addedResponses };
    },
    clearCache() {
      responses = {};
      client.clearCache();
    },
  };
}
