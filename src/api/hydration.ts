import type { Client, GetOptions } from './types.ts';

/** What the server answered as it drew the page, by nameOf, and when, unix ms. */
export interface Given {
  readonly [name: string]: unknown;
  readonly at?: number;
}

/** Reads the answers in the document; none where the server drew nothing. */
export const readGiven = (): Given => JSON.parse(document.getElementById('answers')?.textContent ?? '{}');

/** How a read is called among them. */
export const nameOf = (path: string, { params = {} }: GetOptions = {}): string => path + JSON.stringify(params);

/** A client that may be given answers before they are asked for. */
export interface GivenClient extends Client {
  give(more: Given): void;
}

/** Answers each read that was answered already, once, and asks the client for all others. */
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
