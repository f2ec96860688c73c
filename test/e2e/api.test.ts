// API client in a real browser: cache, revalidation, writes, session and cross-origin use.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { HttpClient, TokenStorage } from '../../src/api/types.ts';
import { type PageServer, sendJson, startPageServer } from '../host/page-server.ts';
import { type Browser, launchBrowser, listen, type Page } from '../support/browser.ts';

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

declare global {
  interface Window {
    client: HttpClient;
    session: TokenStorage;
    embedded: HttpClient;
  }
}

let browser: Browser;
let pageServer: PageServer;
let page: Page;
let requests: ReceivedRequest[] = [];
/** Returns the next response for a request. A status of 0 breaks the connection. */
let respond: (request: ReceivedRequest) => { status: number; body?: unknown; headers?: Record<string, string> };

before(async () => {
  [browser, pageServer] = await Promise.all([launchBrowser(), startPageServer('api-entry.ts')]);
  pageServer.answer = (request, response, body) => {
    if (!request.url?.startsWith('/api/')) return false;
    const received = { method: request.method ?? '', url: request.url, headers: request.headers, body };
    requests.push(received);
    const { status, body: responseBody = {}, headers } = respond(received);
    if (status > 0) return sendJson(response, status, responseBody, headers);
    request.socket.destroy();
    return true;
  };
});
after(async () => {
  await browser.close();
  await pageServer.stop();
});
beforeEach(async () => {
  requests = [];
  respond = () => ({ status: 200, body: { n: requests.length } });
  await page?.close();
  page = await browser.newPage();
  await page.goto(pageServer.origin);
  await page.evaluate(() => {
    window.session = window.createSession();
    window.client = window.createClient({ baseUrl: '', tokenStorage: window.session });
    window.embedded = window.createClient({ baseUrl: '', tokenStorage: null });
  });
});

const get = (path: string, options: object = {}) =>
  page.evaluate(([url, getOptions]) => window.client.get(url, getOptions), [path, options] as const);
const put = (path: string, body: unknown, invalidatedPaths: string[]) =>
  page.evaluate(([url, data, names]) => window.client.write('put', url, data, names), [path, body, invalidatedPaths] as const);
/** Runs a call that fails and returns its error. */
const failure = (path: string) =>
  page.evaluate(async (url) => {
    try {
      await window.client.get(url);
    } catch (error) {
      const { name, message, status } = error as { name: string; message: string; status: number | null };
      return { name, message, status };
    }
    return null;
  }, path);
/** Moves the clock of the page forward, beyond the time to live. */
const later = (minutes: number) =>
  page.evaluate((ms) => {
    const { now } = Date;
    Date.now = () => now() + ms;
  }, minutes * 60_000);

describe('the response cache of the API client', () => {
  it('caches a response for five minutes, by path, parameters and token', async () => {
    assert.deepEqual(await get('/api/a'), { n: 1 });
    assert.deepEqual(await get('/api/a'), { n: 1 });
    assert.deepEqual(await get('/api/a', { params: { page: 2 } }), { n: 2 });
    await page.evaluate(() => window.session.store('mine'));
    assert.deepEqual(await get('/api/a'), { n: 3 });
    await page.evaluate(() => window.session.store('another’s'));
    assert.deepEqual(await get('/api/a'), { n: 4 });
    await later(4.9);
    assert.deepEqual(await get('/api/a'), { n: 4 });
    await later(0.2);
    assert.deepEqual(await get('/api/a'), { n: 5 });
  });

  it('keeps responses apart even if the cache keys of the library would collide', async () => {
    respond = ({ url }) => ({ status: 200, body: { url } });
    assert.deepEqual(await get('/api/items/151', { params: { page: 6 } }), { url: '/api/items/151?page=6' });
    assert.deepEqual(await get('/api/items/440', { params: { page: 3 } }), { url: '/api/items/440?page=3' });
  });

  it('sends one request for two concurrent reads', async () => {
    const both = await page.evaluate(() => Promise.all([window.client.get('/api/a'), window.client.get('/api/a')]));
    assert.deepEqual(both, [{ n: 1 }, { n: 1 }]);
  });

  it('fetches again if the caller wants a fresh response, or after the cache was cleared', async () => {
    await get('/api/a');
    assert.deepEqual(await get('/api/a', { fresh: true }), { n: 2 });
    assert.deepEqual(await get('/api/a'), { n: 2 });
    await page.evaluate(() => window.client.clearCache());
    assert.deepEqual(await get('/api/a'), { n: 3 });
  });

  it('caches an immutable response for a year, and does not cache a no-store response', async () => {
    respond = ({ url }) => ({
      status: 200,
      body: { n: requests.length },
      headers: { 'cache-control': url === '/api/forever' ? 'immutable' : 'no-store' },
    });
    await get('/api/forever');
    await get('/api/never');
    await get('/api/never');
    assert.equal(requests.length, 3);
    await later(364 * 24 * 60);
    assert.deepEqual(await get('/api/forever'), { n: 1 });
    await later(2 * 24 * 60);
    assert.deepEqual(await get('/api/forever'), { n: 4 });
  });

  it('revalidates by ETag, and returns the cached response after a 304', async () => {
    // `Vary: *` disables the HTTP cache of the browser for this response.
    const headers = { etag: '"one"', vary: '*' };
    respond = ({ headers: { 'if-none-match': etag } }) =>
      etag === '"one"' ? { status: 304, headers } : { status: 200, body: { n: requests.length }, headers };
    await get('/api/a');
    await later(6);
    assert.deepEqual(await get('/api/a'), { n: 1 });
    assert.equal(requests.length, 2);
    assert.ok(requests[1]?.headers['if-modified-since']);
  });

  for (const status of [0, 500, 503]) {
    it(`returns a stale response after ${status === 0 ? 'no response' : `a ${status}`}`, async () => {
      await get('/api/a');
      await later(6);
      respond = () => ({ status, body: { detail: 'broken' } });
      assert.deepEqual(await get('/api/a'), { n: 1 });
      assert.ok(requests.length > 1);
    });
  }

  for (const status of [401, 403, 404, 422]) {
    it(`does not return a stale response after a ${status}`, async () => {
      await get('/api/a');
      await later(6);
      respond = () => ({ status, body: { detail: 'no' } });
      assert.deepEqual(await failure('/api/a'), { name: 'ApiError', message: 'no', status });
    });
  }

  it('cancels a read by the signal of its caller, for that caller alone', async () => {
    const outcome = await page.evaluate(async () => {
      const aborter = new AbortController();
      const first = window.client.get('/api/a', { signal: aborter.signal }).catch(({ cancelled }) => ({ cancelled }));
      const second = window.client.get('/api/a');
      aborter.abort();
      return [await first, await second];
    });
    assert.deepEqual(outcome[0], { cancelled: true });
    assert.ok(typeof outcome[1] === 'object');
  });
});

describe('writes of the API client', () => {
  it('all reach the server: A, B, A within five minutes, and two identical writes at once', async () => {
    let stored: unknown = null;
    respond = ({ method, body }) => {
      if (method === 'PUT') stored = JSON.parse(body);
      return { status: 200, body: { held: stored } };
    };
    for (const entries of ['A', 'B', 'A']) await put('/api/lineup', { entries }, ['/api/lineup']);
    assert.deepEqual(await get('/api/lineup'), { held: { entries: 'A' } });
    await page.evaluate(() =>
      Promise.all([1, 2].map(() => window.client.write('post', '/api/telegram/auth/webapp', { initData: 'x' }, []))),
    );
    assert.equal(requests.filter(({ method }) => method === 'POST').length, 2);
  });

  it('remove the responses that they change from the cache, and no others', async () => {
    await get('/api/lineup');
    await get('/api/feed', { params: { limit: 2 } });
    await get('/api/channels');
    await put('/api/lineup', {}, ['/api/lineup', '/api/feed']);
    assert.deepEqual(await get('/api/lineup'), { n: 5 });
    assert.deepEqual(await get('/api/feed', { params: { limit: 2 } }), { n: 6 });
    assert.deepEqual(await get('/api/channels'), { n: 3 });
  });

  it('keep a response that was in flight out of the cache', async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { answer: originalAnswer } = pageServer;
    const requestArrived = new Promise<void>((resolve) => {
      pageServer.answer = async (request, response, body) => {
        if (request.url !== '/api/slow' || requests.some(({ method }) => method === 'PUT'))
          return originalAnswer(request, response, body);
        resolve();
        await slow;
        return sendJson(response, 200, { old: true });
      };
    });
    await page.evaluate(() => void Object.assign(window, { first: window.client.get('/api/slow') }));
    await requestArrived;
    // The write uses another path, because Chromium may delay a write until a read of the same URL has finished.
    await put('/api/write', {}, ['/api/slow']);
    const second = get('/api/slow', { params: { other: 1 } });
    release();
    assert.deepEqual(await page.evaluate('first'), { old: true });
    assert.notDeepEqual(await second, { old: true });
    assert.notDeepEqual(await get('/api/slow'), { old: true });
    pageServer.answer = originalAnswer;
  });
});

describe('the session of the API client', () => {
  it('sends the token, the cookies and the XSRF header', async () => {
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin in every browser we test
      document.cookie = 'XSRF-TOKEN=xyz';
      window.session.store('secret');
    });
    await put('/api/lineup', {}, []);
    assert.equal(requests[0]?.headers['access-token'], 'secret');
    assert.equal(requests[0]?.headers['x-xsrf-token'], 'xyz');
    assert.equal(requests[0]?.headers.cookie, 'XSRF-TOKEN=xyz');
    assert.equal(await page.evaluate(() => sessionStorage.getItem('access_token')), 'secret');
  });

  it('removes the token after a 401 for a request that carried it', async () => {
    respond = () => ({ status: 401, body: { detail: 'Sign in again.' } });
    await page.evaluate(() => window.session.store('old'));
    assert.deepEqual(await failure('/api/me'), { name: 'ApiError', message: 'Sign in again.', status: 401 });
    assert.equal(await page.evaluate(() => sessionStorage.getItem('access_token')), null);
  });

  it('keeps a token that is newer than the request that was rejected', async () => {
    respond = () => ({ status: 401, body: {} });
    await page.evaluate(async () => {
      window.session.store('old');
      const rejected = window.client.get('/api/me').catch(() => {});
      window.session.store('new');
      await rejected;
    });
    assert.equal(await page.evaluate(() => window.session.token()), 'new');
  });

  it('is stored in memory if sessionStorage throws', async () => {
    await page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('refused', 'SecurityError'); } });`,
    );
    await page.reload();
    const tokens = await page.evaluate(() => {
      const session = window.createSession();
      session.store('t');
      const stored = session.token();
      session.clear();
      return [stored, session.token()];
    });
    assert.deepEqual(tokens, ['t', null]);
  });
});

describe('error handling of the API client', () => {
  it('uses the detail as the error message, else `No response received`, else the error of the request', async () => {
    respond = ({ url }) =>
      url === '/api/down' ? { status: 0 } : { status: 418, body: url === '/api/said' ? { detail: 'Tea.' } : {} };
    assert.equal((await failure('/api/said'))?.message, 'Tea.');
    assert.deepEqual(await failure('/api/down'), { name: 'ApiError', message: 'No response received', status: null });
    assert.equal((await failure('/api/bare'))?.message, 'Request failed with status code 418');
  });

  it('logs each response once, below 400 as a log, from 400 as an error', async () => {
    const lines = listen(page);
    respond = ({ url }) => ({ status: url === '/api/bad' ? 500 : 200, body: {} });
    await get('/api/good');
    await put('/api/good', {}, []);
    await failure('/api/bad');
    const ours = lines.filter((line) => !line.includes('Failed to load resource'));
    assert.deepEqual(ours, ['log: GET 200 /api/good', 'log: PUT 200 /api/good', 'error: GET 500 /api/bad']);
  });

  it('logs a failure also if a cached response replaces it', async () => {
    await get('/api/a');
    await later(6);
    const lines = listen(page);
    respond = () => ({ status: 500, body: {} });
    await get('/api/a');
    assert.ok(lines.includes('error: GET 500 /api/a'));
  });
});

describe('the API client on a third-party page', () => {
  it('sends no cookie, no token and no header that needs a CORS preflight, and logs nothing', async () => {
    const lines = listen(page);
    await page.evaluate(() => {
      sessionStorage.setItem('access_token', 'the site’s own');
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin in every browser we test
      document.cookie = 'XSRF-TOKEN=xyz';
    });
    // Another port is another origin but the same site, so the browser would send a cookie if it were allowed.
    const foreign = await startPageServer('api-entry.ts');
    await page.goto(foreign.origin);
    await page.evaluate(async (baseUrl) => {
      sessionStorage.setItem('access_token', 'the site’s own');
      const client = window.createClient({ baseUrl, tokenStorage: null });
      await client.get('/api/a').catch(() => {});
    }, pageServer.origin);
    const { headers } = requests.find(({ method }) => method === 'GET') ?? assert.fail('nothing was asked');
    assert.equal(headers.cookie, undefined);
    assert.equal(headers['access-token'], undefined);
    assert.equal(headers['x-xsrf-token'], undefined);
    assert.ok(!requests.some(({ method }) => method === 'OPTIONS'));
    assert.deepEqual(
      lines.filter((line) => line.startsWith('log:')),
      [],
    );
    assert.equal(await page.evaluate(() => sessionStorage.getItem('access_token')), 'the site’s own');
    await foreign.stop();
  });

  const read = (path: string, options: object = {}) =>
    page.evaluate(([url, getOptions]) => window.embedded.get(url, getOptions), [path, options] as const);
  const getError = (path: string) =>
    page.evaluate(
      (url) => window.embedded.get(url).then(String, ({ message, status }) => [message, status] as [string, number | null]),
      path,
    );

  it('sends one request for a URL, also for concurrent reads, and fetches again after five minutes or on demand', async () => {
    const both = await page.evaluate(() => Promise.all([1, 2].map(() => window.embedded.get('/api/a', { params: { n: 1 } }))));
    assert.deepEqual(both, [{ n: 1 }, { n: 1 }]);
    assert.equal(requests[0]?.url, '/api/a?n=1');
    assert.deepEqual(await read('/api/a', { params: { n: 1, none: undefined } }), { n: 1 });
    assert.deepEqual(await read('/api/a', { params: { n: 2 } }), { n: 2 });
    assert.deepEqual(await read('/api/a', { params: { n: 1 }, fresh: true }), { n: 3 });
    assert.deepEqual(await read('/api/a', { params: { n: 1 } }), { n: 3 });
    await later(6);
    assert.deepEqual(await read('/api/a', { params: { n: 1 } }), { n: 4 });
    await page.evaluate(() => window.embedded.clearCache());
    assert.deepEqual(await read('/api/a', { params: { n: 1 } }), { n: 5 });
  });

  it('does not cache a no-store response', async () => {
    respond = () => ({ status: 200, body: { n: requests.length }, headers: { 'cache-control': 'no-store' } });
    assert.deepEqual([await read('/api/a'), await read('/api/a')], [{ n: 1 }, { n: 2 }]);
  });

  it('returns a cached response if the server fails or is unreachable, but not if it rejects the request', async () => {
    await read('/api/a');
    await later(6);
    respond = () => ({ status: 503, body: {} });
    assert.deepEqual(await read('/api/a'), { n: 1 });
    respond = () => ({ status: 0 });
    assert.deepEqual(await read('/api/a'), { n: 1 });
    assert.deepEqual(await getError('/api/b'), ['No response received', null]);
    respond = () => ({ status: 404, body: { detail: 'There is no such channel' } });
    assert.deepEqual(await getError('/api/a'), ['There is no such channel', 404]);
    respond = () => ({ status: 500, body: {} });
    assert.deepEqual(await getError('/api/c'), ['Request failed with status code 500', 500]);
  });

  it('reports that a read was cancelled, and does not affect the reads of other callers', async () => {
    const results = await page.evaluate(async () => {
      const aborter = new AbortController();
      const first = window.embedded.get('/api/a', { signal: aborter.signal }).catch(({ cancelled }) => ({ cancelled }));
      const second = window.embedded.get('/api/a');
      aborter.abort();
      return Promise.all([first, second]);
    });
    assert.deepEqual(results[0], { cancelled: true });
    assert.ok(typeof results[1] === 'object');
  });

  it('sends no writes', async () => {
    const written = page.evaluate(() => window.embedded.write('put', '/api/a', {}, []).then(String, ({ message }) => message));
    assert.equal(await written, 'A tag on another site only reads');
    assert.deepEqual(requests, []);
  });
});
