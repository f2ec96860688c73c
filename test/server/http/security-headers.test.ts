// Security headers: Content-Security-Policy and other headers of every kind of response.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import type { LightMyRequestResponse } from 'fastify';
import { buildApp } from '../../../server/app.ts';
import { channel, fill, launchData, makeApp, makeDist, type TestApp } from '../support/make-app.ts';

const HTTPS = 'https://channels.example';

/** Addresses, one for every kind of response, with the expected status. */
const EXPECTED_STATUS: Readonly<Record<string, number>> = {
  '/main': 200,
  '/channel/alpha': 200,
  '/nothing': 404,
  '/%E0%A4%A': 404,
  '/privacy': 200,
  '/elements': 200,
  '/elements/versions.json': 200,
  '/elements/changer-feed.js': 200,
  '/elements/drawn/changer-feed': 204,
  '/elements/v/1/gone.js': 404,
  '/assets/app-AAAA1111.js': 200,
  '/sw.js': 200,
  '/manifest.webmanifest': 200,
  '/api/docs/': 200,
  '/api/docs/json': 200,
  '/api/feed': 200,
  '/api/feed?limit=x': 400,
  '/api/stars': 200,
  '/api/nothing': 404,
  '/api/%E0': 400,
  '/media/gone': 404,
  '/feeds/network.opml': 200,
  '/feeds/alpha.rss': 200,
  '/oembed': 400,
  '/robots.txt': 200,
  '/sitemap.xml': 200,
  '/healthz': 200,
};

async function site(t: TestContext): Promise<TestApp> {
  const dist = makeDist(t);
  mkdirSync(path.join(dist, 'web/elements'), { recursive: true });
  writeFileSync(path.join(dist, 'web/elements/index.html'), '<!doctype html><title>Tags</title>');
  const testApp = await makeApp(t, { PUBLIC_URL: HTTPS }, dist);
  await fill(testApp.store, channel('1', { username: 'alpha' }), 3);
  return testApp;
}

const headerOf = (response: LightMyRequestResponse, name: string): string => String(response.headers[name] ?? '');

/** Returns the directives of a policy by name. */
const directives = (policy: string): ReadonlyMap<string, string> =>
  new Map(
    policy.split(';').map((line) => {
      const [name = '', ...sources] = line.trim().split(/\s+/);
      return [name, sources.join(' ')];
    }),
  );

/**
 * The rules of the Mozilla HTTP Observatory (its scoring table) that can take points away. Each must be fulfilled. Its rule on
 * integrity concerns scripts of other hosts, and no policy here allows any.
 */
const OBSERVATORY: Readonly<Record<string, (response: LightMyRequestResponse) => boolean>> = {
  'csp-implemented-with-no-unsafe-default-src-none': (response) => {
    const policy = directives(headerOf(response, 'content-security-policy'));
    const scripts = policy.get('script-src') ?? '';
    const sandboxed = policy.has('sandbox');
    return (
      policy.get('default-src') === "'none'" &&
      !/unsafe|\*|https?:|data:/.test(scripts) &&
      (sandboxed || (policy.has('frame-ancestors') && !/\*/.test(policy.get('frame-ancestors') ?? '')))
    );
  },
  'csp-base-uri-and-form-action-none': (response) => {
    const policy = directives(headerOf(response, 'content-security-policy'));
    const isPage = headerOf(response, 'content-type').startsWith('text/html') && !policy.has('sandbox');
    return !isPage || (policy.get('base-uri') === "'none'" && policy.get('form-action') === "'none'");
  },
  'hsts-implemented-max-age-at-least-six-months': (response) =>
    Number(/^max-age=(\d+)/.exec(headerOf(response, 'strict-transport-security'))?.[1]) >= 15_768_000,
  'x-content-type-options-nosniff': (response) => headerOf(response, 'x-content-type-options') === 'nosniff',
  'referrer-policy-private': (response) =>
    /^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(headerOf(response, 'referrer-policy')),
  'x-frame-options-implemented-via-csp': (response) =>
    /frame-ancestors '(none|self)'|sandbox/.test(headerOf(response, 'content-security-policy')),
  'cross-origin-resource-sharing-not-universal': (response) =>
    headerOf(response, 'access-control-allow-origin') !== '*' || headerOf(response, 'access-control-allow-credentials') === '',
};

describe('security headers of every kind of response', () => {
  // The evaluator asks for a check that a policy cannot show: 'self' must not serve untrusted scripts. Media are never served
  // with the type of a script.
  it('have no weakness that Google’s CSP Evaluator finds', async (t) => {
    const { app } = await site(t);
    for (const [url, status] of Object.entries(EXPECTED_STATUS)) {
      const response = await app.inject({ url, headers: { accept: '*/*' } });
      assert.equal(response.statusCode, status, `${url}: ${response.body.slice(0, 200)}`);
      const policy = new CspParser(headerOf(response, 'content-security-policy')).csp;
      const found = new CspEvaluator(policy).evaluate().filter(({ severity }) => severity <= Severity.MEDIUM);
      assert.deepEqual(
        found.map(({ directive, description }) => `${directive}: ${description}`),
        [],
        url,
      );
    }
  });

  for (const [rule, isFulfilled] of Object.entries(OBSERVATORY))
    it(`follow the rule of the Mozilla Observatory: ${rule}`, async (t) => {
      const { app } = await site(t);
      const broken: string[] = [];
      for (const url of Object.keys(EXPECTED_STATUS))
        if (!isFulfilled(await app.inject({ url, headers: { origin: 'https://other.example' } }))) broken.push(url);
      assert.deepEqual(broken, []);
    });

  it('are also sent with a response that rejects a request for overload', async (t) => {
    const app = await buildApp(
      (await site(t)).context,
      { level: 'warn' },
      { level: () => 9, trackRequest: () => () => {}, stop: () => {} },
    );
    t.after(() => app.close());
    const response = await app.inject('/api/feed');
    assert.equal(response.statusCode, 503);
    for (const [rule, isFulfilled] of Object.entries(OBSERVATORY)) assert.ok(isFulfilled(response), rule);
  });

  it('send HSTS only if the site is served over https', async (t) => {
    const { app } = await makeApp(t, { PUBLIC_URL: 'http://channels.example' });
    assert.equal((await app.inject('/main')).headers['strict-transport-security'], undefined);
  });

  it('set a cookie that is sent over https only, and is partitioned for Telegram’s frame', async (t) => {
    const { app } = await site(t);
    const payload = { initData: launchData(1) };
    const response = await app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload });
    const [cookie] = response.cookies;
    assert.deepEqual(
      [
        response.cookies.length,
        cookie?.name,
        cookie?.secure,
        cookie?.sameSite,
        /; Partitioned/.test(String(response.headers['set-cookie'])),
      ],
      [1, 'XSRF-TOKEN', true, 'None', true],
    );
  });

  it('allow the service worker to request its own server and to run nothing else', async (t) => {
    const { app } = await site(t);
    const policy = directives(headerOf(await app.inject('/sw.js'), 'content-security-policy'));
    assert.deepEqual(
      [policy.get('default-src'), policy.get('connect-src'), policy.get('script-src')],
      ["'none'", "'self'", undefined],
    );
  });
});
