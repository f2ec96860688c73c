import type { Client, GetOptions } from './types.ts';

/**
 * Hydration data: the API responses that the server used to render the page, by `nameOf`. `at` is the time of the rendering,
 * unix ms.
 */
export interface Given {
  readonly [name: string]: unknown;
  readonly at?: number;
}

/** Reads the embedded responses from the document; returns none where the server did not render the page. */
export const readGiven = (): Given => JSON.parse(document.getElementById('answers')?.textContent ?? '{}');

/** Returns the key of a read request among the embedded responses. */
export const nameOf = (path: string, { params = {} }: GetOptions = {}): string => path + JSON.stringify(params);

/** A client that accepts preloaded responses. */
export interface GivenClient extends Client {
  give(more: Given): void;
}

/** Wraps a client: each preloaded response is returned once; all other reads go to `client`. */
export function withGiven(client: Client, given: Given = {}): GivenClient {
  let left: Record<string, unknown> = { ...given };
  return {
    ...client,
    async get(path, options) {
      const name = nameOf(path, options);
      const answer = left[name];
      delete left[name];
      return answer ?? client.get(path, options);
    },
    give(more) {
      left = { ...left, ...more };
    },
    forget() {
      left = {};
      client.forget();
    },
  };
}
