import type { Client, GetOptions } from './client.ts';

/** What the server answered as it drew the page, by nameOf, and when, unix ms. */
export interface Given {
  readonly [name: string]: unknown;
  readonly at?: number;
}

/** Reads the answers in the document; none where the server drew nothing. */
export const readGiven = (): Given => JSON.parse(document.getElementById('answers')?.textContent ?? '{}');

/** How a read is called among them. */
export const nameOf = (path: string, { params = {} }: GetOptions = {}): string => path + JSON.stringify(params);

/** Answers each read that was answered with the page, once, and asks the client for all others. */
export function withGiven(client: Client, given: Given): Client {
  let left: Record<string, unknown> = { ...given };
  return {
    ...client,
    async get(path, options) {
      const name = nameOf(path, options);
      const answer = left[name];
      delete left[name];
      return answer ?? client.get(path, options);
    },
    forget() {
      left = {};
      client.forget();
    },
  };
}
