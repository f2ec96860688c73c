// Sitemap and robots.txt.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { channel, fill, makeApp, message, type TestApp, withChannels } from '../support/make-app.ts';

const SITE = 'https://channels.example';

const makeSite = (t: TestContext): Promise<TestApp> => withChannels(t, { PUBLIC_URL: SITE });

async function read({ app }: TestApp, address: string): Promise<string> {
  const response = await app.inject(address.replace(SITE, ''));
  assert.equal(response.statusCode, 200, `${address}: ${response.body.slice(0, 200)}`);
  assert.equal(response.headers['content-type'], 'application/xml; charset=utf-8');
  return response.body;
}

/** Returns the addresses of a sitemap. Fails if it contains anything else. */
function addressesIn(xml: string, root: 'urlset' | 'sitemapindex'): Map<string, string | null> {
  const item = root === 'urlset' ? 'url' : 'sitemap';
  const [, inner = assert.fail(xml.slice(0, 200))] =
    new RegExp(
      `^<\\?xml version="1.0" encoding="utf-8"\\?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n(.*)</${root}>\n$`,
      's',
    ).exec(xml) ?? [];
  const one = new RegExp(`<${item}><loc>([^<&]*)</loc>(?:<lastmod>([^<]*)</lastmod>)?</${item}>\n`, 'g');
  assert.equal(inner.replace(one, ''), '');
  assert.notEqual(inner, '', 'a map without an address is none');
  return new Map([...inner.matchAll(one)].map(([, address = '', changed]) => [address, changed ?? null]));
}

/** Returns every address of the complete sitemap. */
async function readAll(testApp: TestApp): Promise<Map<string, string | null>> {
  const index = addressesIn(await read(testApp, '/sitemap.xml'), 'sitemapindex');
  const parts = await Promise.all([...index.keys()].map(async (part) => [...addressesIn(await read(testApp, part), 'urlset')]));
  return new Map(parts.flat());
}

describe('the sitemap', () => {
  it('lists every public page and post, with the time of its last change', async (t) => {
    const testApp = await makeSite(t);
    const edited = message('2', 3, 'Edited');
    await testApp.store.putMessages([{ ...edited, post: { ...edited.post, edited: 1_800_000_000 }, modifiedAt: 1_800_000_000 }]);
    const all = await readAll(testApp);
    assert.equal(all.size, 3 + 55);
    assert.equal(all.get(`${SITE}/main`), '2023-11-14T23:03:20.000Z');
    assert.equal(all.get(`${SITE}/channel/alpha`), '2023-11-14T23:03:20.000Z');
    assert.equal(all.get(`${SITE}/channel/alpha?post=50`), '2023-11-14T23:03:20.000Z');
    assert.equal(all.get(`${SITE}/channel/2?post=3`), '2027-01-15T08:00:00.000Z');
  });

  it('sends no query for each channel that has a single part', async (t) => {
    const testApp = await makeSite(t);
    const methods = ['postDateAtOffset', 'postDates', 'postSpans'] as const;
    const mocks = methods.map((name) => t.mock.method(testApp.store, name));
    await read(testApp, '/sitemap.xml');
    assert.deepEqual(
      mocks.map(({ mock }) => mock.callCount()),
      [0, 0, 1],
    );
  });

  it('excludes everything private, hidden, demo, reader-added or unpublished, and service messages', async (t) => {
    const testApp = await makeSite(t);
    await fill(testApp.store, channel('5', { demo: true }), 1);
    await fill(testApp.store, channel('f-1', { elsewhere: true, source: 'feed' }), 1);
    await fill(testApp.store, channel('6'), 1);
    await testApp.store.setSoftDeleted('6', true);
    await testApp.store.hidePost('1', 7, 1);
    const serviceMessage = message('3', 1, '');
    await testApp.store.putChannel(channel('3'));
    await testApp.store.putMessages([{ ...serviceMessage, post: { ...serviceMessage.post, service: { action: 'created' } } }]);
    const all = [...(await readAll(testApp)).keys()];
    assert.equal(all.length, 4 + 54);
    assert.deepEqual(
      all.filter((address) => /(9|secret|5|f-1|6|3)(\?|$)/.test(address) && !address.includes('post=')),
      [`${SITE}/channel/3`],
    );
    assert.ok(!all.includes(`${SITE}/channel/alpha?post=7`));
    for (const part of ['9-0', 'secret-0', '5-0', 'f-1-0', '6-0', 'nobody-0', 'alpha-0', '1-99999999999', 'x', '1-']) {
      assert.equal((await testApp.app.inject(`/sitemap/${part}.xml`)).statusCode, 404, part);
    }
  });

  it('is split into parts of ten thousand, with each post once, even if many were posted in one second', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await testApp.store.putChannel(channel('1'));
    const dates = Array.from({ length: 25_000 }, (_, at) => (at < 8000 ? at : at < 20_500 ? 9000 : at));
    await testApp.store.putMessages(dates.map((date, at) => message('1', at + 1, '', [], 1_700_000_000 + date)));
    const index = addressesIn(await read(testApp, '/sitemap.xml'), 'sitemapindex');
    assert.deepEqual(
      [...index.keys()].map((part) => part.replace(`${SITE}/sitemap/`, '')),
      ['pages.xml', '1-1700000000.xml', '1-1700009000.xml', '1-1700020500.xml'],
    );
    assert.equal((await readAll(testApp)).size, 2 + 25_000);
  });

  it('is valid without any entries', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await fill(testApp.store, channel('5', { demo: true }), 1);
    assert.deepEqual([...(await readAll(testApp))], [[`${SITE}/main`, null]]);
  });

  it('is revalidated with an ETag, and is compressed', async (t) => {
    const testApp = await makeSite(t);
    const first = await testApp.app.inject({ url: '/sitemap.xml', headers: { 'accept-encoding': 'gzip' } });
    assert.equal(first.headers['content-encoding'], 'gzip');
    const again = await testApp.app.inject({ url: '/sitemap.xml', headers: { 'if-none-match': String(first.headers.etag) } });
    assert.equal(again.statusCode, 304);
  });
});

describe('robots.txt', () => {
  it('names the sitemap and the routes that are not pages', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    const response = await testApp.app.inject('/robots.txt');
    assert.equal(response.headers['content-type'], 'text/plain; charset=utf-8');
    assert.deepEqual(response.body.split('\n'), [
      ...['User-agent: *', 'Disallow: /api/', 'Disallow: /test', 'Disallow: /notifications', 'Disallow: /webapp/', ''],
      ...[`Sitemap: ${SITE}/sitemap.xml`, ''],
    ]);
  });
});
