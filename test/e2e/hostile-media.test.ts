// Hostile media files in a browser: no uploaded file runs as a script or a page.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { HOSTILE_FILES } from '../hostile/files.ts';
import { watchScripts } from '../hostile/script-watcher.ts';
import { channel, makeApp, message, type TestApp } from '../server/support/make-app.ts';
import { type Browser, launchBrowser, type Page } from '../support/browser.ts';
import { startSite } from '../support/site.ts';

/** Returns markup that uses a URL in every way that a page can. */
const markupUsing = (src: string): string => `<script src="${src}"></script><script type=module src="${src}"></script>
  <link rel=stylesheet href="${src}"><iframe src="${src}"></iframe><iframe src="${src}" sandbox="allow-scripts"></iframe>
  <object data="${src}"></object><object type="text/html" data="${src}"></object><object type="image/svg+xml" data="${src}"></object>
  <embed src="${src}"><embed type="text/html" src="${src}"><img src="${src}"><video src="${src}"></video><audio src="${src}"></audio>`;

describe('hostile media files', () => {
  const cleanups: (() => unknown)[] = [];
  let testApp: TestApp;
  let browser: Browser;
  let origin: string;
  let sources: string[];

  before(async () => {
    browser = await launchBrowser([], { asDrawn: true });
    testApp = await makeApp({ after: (end) => void cleanups.push(end as () => unknown) }, {}, 'dist');
    await testApp.store.putChannel(channel('1'));
    for (const [at, { key, mime, body, name }] of HOSTILE_FILES.entries()) {
      const filePath = path.join(testApp.dataDir, 'media', key.slice(0, 2), key);
      mkdirSync(path.dirname(filePath), { recursive: true });
      writeFileSync(filePath, body);
      await testApp.store.putMediaFile({ key, mime, size: body.length });
      const media = { type: 'document', messageId: at + 1, src: `/media/${key}`, mime, name } as const;
      await testApp.store.putMessages([message('1', at + 1, '', [media])]);
    }
    await testApp.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://localhost:${(testApp.app.server.address() as AddressInfo).port}`;
    // The URLs as the API returns them, and with a name that has the extension of a page.
    const { items } = await (await fetch(`${origin}/api/channels/1/posts?limit=100`)).json();
    const mediaUrls: string[] = items.map(({ media }: { media: { src: string }[] }) => media[0]?.src);
    sources = [...mediaUrls, ...mediaUrls.map((src) => `${src.split('?')[0]}?name=x.html`)];
    assert.equal(mediaUrls.length, HOSTILE_FILES.length);
  });
  after(async () => {
    await browser.close();
    for (const end of cleanups) await end();
  });

  async function withPage(action: (page: Page) => Promise<unknown>): Promise<void> {
    const context = await browser.newContext({ acceptDownloads: false });
    try {
      const runs = await watchScripts(context);
      const page = await context.newPage();
      await action(page);
      assert.deepEqual(await runs.ran(page), []);
    } finally {
      await context.close();
    }
  }

  it('have a sandbox policy, and are either shown with a known type or downloaded', async (t) => {
    const counts = { shown: 0, downloaded: 0 };
    for (const src of sources) {
      const { status, headers } = await fetch(origin + src);
      assert.equal(status, 200, src);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(headers.get('set-cookie') ?? headers.get('x-hostile'), null);
      const [type, disposition] = [headers.get('content-type') ?? '', headers.get('content-disposition')];
      if (disposition === null) assert.match(type, /^(image\/(png|jpeg|gif|webp|avif)|(video|audio)\/[\w-]+)$/);
      else assert.equal(type, 'application/octet-stream');
      assert.doesNotMatch(disposition ?? '', /[\r\n\\\u202e]|\.\.\/|%0d|%0a|%2f|%5c|%e2%80%ae|filename="[^"]*"[^;]/i);
      counts[disposition === null ? 'shown' : 'downloaded'] += 1;
    }
    t.diagnostic(`${HOSTILE_FILES.length} files, ${sources.length} addresses: ${JSON.stringify(counts)}`);
  });

  it('do not run when a reader opens them', () =>
    withPage(async (page) => {
      for (const src of sources) {
        await page.goto(origin + src).catch((error) => assert.match(String(error), /Download is starting|ERR_ABORTED/));
        assert.equal(await page.evaluate(() => Reflect.get(window, '__ran')), undefined, src);
      }
    }));

  it('do not run when a page uses them as scripts, styles, frames, plug-ins or pictures', async () => {
    const site = await startSite(sources.map((src) => markupUsing(origin + src)).join(''));
    // The page loads hundreds of files and frames, about 50 s on two cores.
    await withPage((page) => page.goto(site.origin, { waitUntil: 'load', timeout: 240_000 })).finally(site.stop);
  });

  it('do not run as scripts or workers on the origin of the app', () =>
    withPage(async (page) => {
      await page.route('**/plain', (route) => route.fulfill({ body: '<p></p>', contentType: 'text/html' }));
      await page.goto(`${origin}/plain`);
      const loadedCount = await page.evaluate(async (all) => {
        const attempts = all.flatMap((src) => [
          import(src),
          navigator.serviceWorker.register(src, { scope: '/media/' }),
          new Promise((done, failed) => {
            const worker = new Worker(src);
            worker.onerror = () => failed(new Error('refused'));
            worker.onmessage = done;
          }),
          WebAssembly.compileStreaming(fetch(src)),
        ]);
        return (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled').length;
      }, sources);
      assert.equal(loadedCount, 0);
    }));
});
