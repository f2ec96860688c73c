import { expect } from '@open-wc/testing';
import { createFetchTransport } from '../../../src/api/fetch-transport.ts';

describe('the transport of tags', () => {
  const { fetch } = window;
  afterEach(() => {
    window.fetch = fetch;
  });

  it('shares a request in flight, also after an earlier request for the same address settles', async () => {
    const answers: ((response: Response) => void)[] = [];
    window.fetch = () => new Promise((resolve) => answers.push(resolve));
    const transport = createFetchTransport({
      baseUrl: '',
      tokenStorage: { token: () => null, store() {}, clear() {}, clearRejected() {} },
    });
    const ask = () => transport.send({ method: 'get', path: '/api/feed' }, null);
    const first = ask();
    transport.clearCache();
    const second = ask();
    answers[0]?.(Response.json('first'));
    expect(await first).to.equal('first');
    const third = ask();
    expect(answers).to.have.length(2);
    answers[1]?.(Response.json('second'));
    expect(await Promise.all([second, third])).to.deep.equal(['second', 'second']);
  });
});
