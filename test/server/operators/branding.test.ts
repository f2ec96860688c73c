// Brand: name, colours and logo that an operator sets.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { openStore } from '../../../server/storage/open.ts';
import { openBrandStore } from '../../../server/web/brand.ts';
import { createWebApp, readBuiltApp } from '../../../server/web/web-app.ts';
import { INLINE_HASH, makeApp, makeDist, signIn, type TestApp } from '../support/make-app.ts';

type Headers = Record<string, string>;

/** Creates a build whose shell has its own links to icons, and an operator. */
async function withBrand(t: TestContext): Promise<TestApp & { dist: string; operator: Headers }> {
  const dist = makeDist(t);
  const links = [
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  ];
  const icons = [
    { src: '/icon-192.png', type: 'image/png' },
    { src: '/icon-maskable-512.png', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', type: 'image/svg+xml' },
  ];
  const files: Record<string, string> = {
    'web/index.html': `<!doctype html><html><head><!--brand-->${links.join('')}</head><body></body></html>`,
    'web/manifest.webmanifest': JSON.stringify({ name: 'x', start_url: '/main', icons }),
    'build.json': JSON.stringify({ version: '1', scriptHashes: [INLINE_HASH] }),
  };
  for (const name of ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png', 'icon.svg'])
    files[`web/${name}`] = 'our own';
  for (const [name, body] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dist, name)), { recursive: true });
    writeFileSync(path.join(dist, name), body);
  }
  const testApp = await makeApp(t, { OPERATOR_IDS: '7', BRAND_NAME: 'Settings', BRAND_COLOR: '#123456' }, dist);
  return { ...testApp, dist, operator: await signIn(testApp, 7) };
}

const putBrand = ({ app }: TestApp, headers: Headers, payload: object) =>
  app.inject({ method: 'PUT', url: '/api/operator/brand', headers, payload });

const picture = (width: number, height = width, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 40, alpha } } });
const base64 = async (image: Sharp, type: 'png' | 'jpeg' | 'webp' | 'gif' = 'png') =>
  (await image.toFormat(type).toBuffer()).toString('base64');

const BRAND = { name: 'City Channels', color: '#AA0011' };

/** Returns the parts of the brand that readers get. */
async function readServedBrand({ app }: TestApp) {
  const [shell, manifest, worker] = await Promise.all(['/main', '/manifest.webmanifest', '/sw.js'].map((url) => app.inject(url)));
  return { shell: shell?.body ?? '', manifest: manifest?.json(), worker: worker?.body ?? '' };
}

describe('the branding that an operator sets', () => {
  it('is in the shell, the service worker and the manifest at once, until it is reset', async (t) => {
    const testApp = await withBrand(t);
    const before = await readServedBrand(testApp);
    assert.match(before.shell, /<title>Settings<\/title>/);
    const response = await putBrand(testApp, testApp.operator, BRAND);
    assert.deepEqual(response.json(), { name: 'City Channels', color: '#aa0011', changed: true });
    const after = await readServedBrand(testApp);
    assert.match(after.shell, /<title>City Channels<\/title><meta name="theme-color" content="#aa0011">/);
    assert.deepEqual(
      [after.manifest.name, after.manifest.short_name, after.manifest.theme_color],
      ['City Channels', 'City Channels', '#aa0011'],
    );
    assert.notEqual(after.worker, before.worker);
    const copy = /"(\/assets\/shell-\w+\.html)"/.exec(after.worker)?.[1] ?? '';
    assert.equal((await testApp.app.inject(copy)).body, after.shell);

    const reset = await testApp.app.inject({ method: 'DELETE', url: '/api/operator/brand', headers: testApp.operator });
    assert.deepEqual(reset.json(), { name: 'Settings', color: '#123456', changed: false });
    assert.deepEqual(await readServedBrand(testApp), before);
    assert.deepEqual(
      (await testApp.store.auditEntries({ limit: 9 })).map(({ act, detail }) => [act, detail]),
      [
        ['brand-reset', 'Settings'],
        ['brand', 'City Channels'],
      ],
    );
  });

  it('survives a restart', async (t) => {
    const testApp = await withBrand(t);
    await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(256)) });
    const again = await openBrandStore(testApp.store, testApp.context.config, Date.now);
    const { icons: _, ...logo } = again.get().logo ?? { icons: null, mark: null };
    assert.deepEqual([again.get().name, logo.mark], ['City Channels', testApp.context.brands.get().logo?.mark]);
  });

  it('reaches another process within two seconds', async (t) => {
    const testApp = await withBrand(t);
    const store = await openStore({ dataDir: testApp.dataDir });
    t.after(() => store.close());
    let now = 0;
    const brands = await openBrandStore(store, testApp.context.config, () => now);
    const web = createWebApp(() => built, brands.get, null);
    const built = readBuiltApp(testApp.dist);
    await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(256)) });
    now = 1999;
    await brands.refresh();
    assert.equal(brands.get().name, 'Settings');
    now = 2000;
    await brands.refresh();
    assert.match(String(web().shell.body), /City Channels/);
    assert.equal((await sharp(web().files.get('/icon-512.png')?.body).metadata()).width, 512);
  });

  it('is shown by each process of a shared database when the change is confirmed', async (t) => {
    const testApp = await withBrand(t);
    const config = { ...testApp.context.config, databaseUrl: 'postgres://shared' };
    const open = () => openBrandStore(testApp.store, config, Date.now);
    const [one, other] = await Promise.all([open(), open()]);
    const refreshing = other.refresh();
    await one.change({ name: 'City Channels', color: '#112233' }, (detail) => ({ at: 1, actorId: '7', act: 'brand', detail }));
    await refreshing;
    await other.refresh();
    assert.equal(other.get().name, 'City Channels');
  });

  it('is rejected with the reason if Telegram would reject it', async (t) => {
    const testApp = await withBrand(t);
    const invalid: readonly (readonly [object, RegExp])[] = [
      [{ name: 'Telegram News', color: '#112233' }, /"Telegram", which Telegram allows only after "Unofficial"/],
      [{ name: ' ', color: '#112233' }, /1 to 60/],
      [{ name: 'a'.repeat(61), color: '#112233' }, /1 to 60/],
      [{ name: 'a\u202eb', color: '#112233' }, /1 to 60/],
      [{ name: 'City', color: 'red' }, /color/],
      [{ name: 'City', color: '#1122334' }, /color/],
      [{ color: '#112233' }, /name/],
    ];
    for (const [brand, detail] of invalid) {
      const response = await putBrand(testApp, testApp.operator, brand);
      assert.equal(response.statusCode, 400, JSON.stringify(brand));
      assert.match(response.json().detail, detail);
    }
    assert.equal(
      (await putBrand(testApp, testApp.operator, { name: 'Unofficial Telegram News', color: '#112233' })).statusCode,
      200,
    );
  });
});

describe('a logo', () => {
  it('never gets the URL of another logo, even if the brand could not be saved after its logo', async (t) => {
    const testApp = await withBrand(t);
    await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(256)) });
    const before = testApp.context.brands.get().logo;
    const failing = t.mock.method(testApp.store, 'withAuditEntries', () => assert.fail('the brand cannot be saved'));
    assert.equal(
      (await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(256, 128)) })).statusCode,
      500,
    );
    failing.mock.restore();
    const after = (await openBrandStore(testApp.store, testApp.context.config, Date.now)).get().logo;
    assert.deepEqual([before?.mark.length, after?.mark.length], [12, 12]);
    const isSameLogo = before?.icons.get('/icon-512.png')?.equals(after?.icons.get('/icon-512.png') ?? Buffer.of());
    assert.equal(before?.mark === after?.mark, isSameLogo);
  });

  it('replaces every icon, and gets a new URL', async (t) => {
    const testApp = await withBrand(t);
    const response = await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(300, 150)) });
    const { logo } = response.json();
    assert.match(logo, /^\/icon-192\.png\?v=[0-9a-f]{12}$/);
    const { shell, manifest } = await readServedBrand(testApp);
    assert.ok(shell.includes(`<link rel="icon" href="${logo}" type="image/png">`), shell);
    assert.match(shell, /href="\/apple-touch-icon\.png\?v=/);
    assert.deepEqual(
      manifest.icons.map(({ src, purpose }: { src: string; purpose?: string }) => [src.replace(/=.*/, ''), purpose]),
      [
        ['/icon-192.png?v', undefined],
        ['/icon-maskable-512.png?v', 'maskable'],
      ],
    );
    const sides: Record<string, number> = {
      [logo]: 192,
      '/icon-512.png': 512,
      '/icon-maskable-512.png': 512,
      '/apple-touch-icon.png': 180,
    };
    for (const [url, side] of Object.entries(sides)) {
      const icon = await testApp.app.inject(url);
      const { width, height, format } = await sharp(icon.rawPayload).metadata();
      assert.deepEqual([width, height, format, icon.headers['content-type']], [side, side, 'png', 'image/png'], url);
    }
    assert.match((await testApp.app.inject('/icon.svg')).body, /^<svg/);
  });

  it('has an opaque background where an icon must not be transparent', async (t) => {
    const testApp = await withBrand(t);
    const ground = async (url: string) => {
      const [red, green, blue, ...rest] = await sharp((await testApp.app.inject(url)).rawPayload)
        .raw()
        .toBuffer();
      return rest.length > 0 ? [red, green, blue] : [];
    };
    await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(256)) });
    assert.deepEqual(await ground('/icon-maskable-512.png'), [200, 30, 40]);
    await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(256, 256, 0.5)) });
    assert.deepEqual(await ground('/icon-maskable-512.png'), [255, 255, 255]);
    assert.deepEqual(await ground('/apple-touch-icon.png'), [255, 255, 255]);
  });

  it('may be PNG, JPEG or WebP; it stays if the request omits it, and is removed by null', async (t) => {
    const testApp = await withBrand(t);
    const logos = new Set<string>();
    for (const type of ['png', 'jpeg', 'webp'] as const) {
      const response = await putBrand(testApp, testApp.operator, { ...BRAND, logo: await base64(picture(64), type) });
      assert.equal(response.statusCode, 200, type);
      logos.add(response.json().logo);
    }
    const updated = (await putBrand(testApp, testApp.operator, { ...BRAND, name: 'Other' })).json();
    assert.ok(logos.has(updated.logo));
    assert.equal((await putBrand(testApp, testApp.operator, { ...BRAND, logo: null })).json().logo, undefined);
    assert.equal((await testApp.app.inject('/icon-192.png')).body, 'our own');
    assert.equal(await testApp.store.setting('brand-logo'), null);
  });

  const hostile: Record<string, () => Promise<string> | string> = {
    'is an SVG': () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64'),
    'is a GIF': () => base64(picture(64), 'gif'),
    'is no image': () => Buffer.from('hello').toString('base64'),
    'is nothing': () => '',
    'is not base64': () => '!!!',
    'only begins as a PNG': () => Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64'),
    'is cut off': async () =>
      Buffer.from(await base64(picture(900)), 'base64')
        .subarray(0, 900)
        .toString('base64'),
    'has too few pixels': () => base64(picture(63)),
    'has too many pixels': () => base64(picture(4097, 64)),
    'is a bomb': () => base64(picture(9000).toColourspace('b-w').removeAlpha()),
    'is longer than 512 kB': () => Buffer.alloc(512 * 1024 + 1).toString('base64'),
  };
  for (const [fault, make] of Object.entries(hostile))
    it(`is rejected if it ${fault}, with a sentence that says what it should be`, async (t) => {
      const testApp = await withBrand(t);
      const response = await putBrand(testApp, testApp.operator, { ...BRAND, logo: await make() });
      assert.equal(response.statusCode, 400, response.body);
      assert.match(response.json().detail, /^The logo .*\.$/);
      assert.equal(testApp.context.brands.get().isCustomized, false);
    });

  it('is served as an image that the server encoded, and no other part of the uploaded file is served', async (t) => {
    const testApp = await withBrand(t);
    const pictureWithText = picture(128).withExif({ IFD0: { Copyright: '<script>secret words</script>' } });
    const sent = await pictureWithText.png().toBuffer();
    const logo = Buffer.concat([sent, Buffer.from('trailing words')]).toString('base64');
    await putBrand(testApp, testApp.operator, { ...BRAND, logo });
    for (const url of ['/icon-192.png', '/icon-512.png', '/icon-maskable-512.png', '/apple-touch-icon.png']) {
      const { rawPayload } = await testApp.app.inject(url);
      assert.ok(!rawPayload.includes('secret') && !rawPayload.includes('trailing'), url);
    }
    assert.ok(!readFileSync(path.join(testApp.dataDir, 'changer.sqlite')).includes('trailing words'));
  });
});
