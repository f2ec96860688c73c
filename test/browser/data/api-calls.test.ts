import { expect } from '@open-wc/testing';
import { createChannelsApi } from '../../../src/api/channels-api.ts';
import type { HttpClient } from '../../../src/api/types.ts';

describe('the request for the channels', () => {
  it('names no more external feeds than the server accepts', async () => {
    let requestedPath = '';
    const client: HttpClient = {
      async get(_path, options) {
        requestedPath = String(options?.params?.also);
        return { items: [], next: null };
      },
      write: async () => null,
      clearCache: () => {},
    };
    const names = Array.from({ length: 450 }, (_, at) => `f-${at}`);
    await createChannelsApi(client).channels(names);
    expect(requestedPath.split(',')).to.deep.equal(names.slice(0, 200));
  });
});
