import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { validate } from '@telegram-apps/init-data-node';
import { buildApp } from '../../server/app.ts';
import { BOT_TOKEN, makeApp, makeFolder } from './support/make-app.ts';

async function inDevelopment(t: Parameters<typeof makeApp>[0]) {
  const testApp = await makeApp(t);
  const hostPages = makeFolder(t);
  writeFileSync(path.join(hostPages, 'telegram.html'), '<h1>host</h1>');
  writeFileSync(path.join(hostPages, 'telegram.ts'), 'const answer: number = 42; document.title = String(answer);');
  const app = await buildApp({ ...testApp.context, devHostFolder: hostPages }, { level: 'warn' });
  t.after(() => app.close());
  return app;
}

describe('the host page for development', () => {
  it('is served under /dev, with and without the extension .html', async (t) => {
    const app = await inDevelopment(t);
    for (const url of ['/dev/telegram', '/dev/telegram.html']) {
      const response = await app.inject(url);
      assert.deepEqual([response.statusCode, response.body], [200, '<h1>host</h1>']);
      assert.match(String(response.headers['content-type']), /^text\/html/);
    }
    for (const url of ['/dev/none', '/dev/..%2f..%2f..%2fetc%2fpasswd']) assert.equal((await app.inject(url)).statusCode, 404);
  });

  it('loads scripts that the server compiles from TypeScript', async (t) => {
    const response = await (await inDevelopment(t)).inject('/dev/telegram.js');
    assert.match(String(response.headers['content-type']), /^text\/javascript/);
    assert.match(response.body, /answer = 42/);
    assert.doesNotMatch(response.body, /: number/);
  });

  it('receives launch data that @telegram-apps/init-data-node validates and that signs a reader in', async (t) => {
    const app = await inDevelopment(t);
    const url = '/dev/launch-data?user=42&name=Ада+Б&language=ru&start=c_1_2';
    const { body: initData, headers } = await app.inject({ url, headers: { origin: 'https://elsewhere.example' } });
    assert.equal(headers['access-control-allow-origin'], undefined);
    validate(initData, BOT_TOKEN);
    const response = await app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload: { initData } });
    assert.deepEqual(response.json().user, { id: '42', name: 'Ада Б', language: 'ru', operator: false });
  });

  it('does not exist in production', async (t) => {
    const { app } = await makeApp(t);
    for (const url of ['/dev/telegram', '/dev/launch-data?user=1']) assert.equal((await app.inject(url)).statusCode, 404);
  });
});
