import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { channel, fill, makeApp, makeFolder } from '../support/make-app.ts';

const DOCUMENT = path.resolve(import.meta.dirname, '../../../docs/private-channels.md');
const CLUB = 'https://club.example';

const SAMPLES = [
  { heading: 'Node', file: 'sign.mjs', program: process.execPath },
  { heading: 'Python', file: 'sign.py', program: 'python3' },
  { heading: 'PHP', file: 'sign.php', program: 'php' },
] as const;

const sampleOf = (text: string, heading: string): string =>
  new RegExp(`^### ${heading}\\n\`\`\`\\w+\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';

describe('the code samples in the documentation', () => {
  for (const { heading, file, program: interpreter } of SAMPLES)
    it(`sign an access token (JWT) that opens the channel: ${heading}`, async (t) => {
      if (spawnSync(interpreter, ['--version']).status !== 0) return t.skip(`there is no ${interpreter} here`);
      const { app, store, context } = await makeApp(t);
      await fill(store, channel('9', { private: true }), 3);
      await store.putSiteKey({ id: 'a key', origin: CLUB, channels: ['9'], at: 1 });
      const samplePath = path.join(makeFolder(t), file);
      await writeFile(samplePath, sampleOf(await readFile(DOCUMENT, 'utf8'), heading));
      const env = { ...process.env, CHANGER_KEY_ID: 'a key', CHANGER_KEY_SECRET: context.siteKeySecrets.secretOf('a key') };
      const { stdout } = await promisify(execFile)(interpreter, [samplePath], { env });
      const headers = { 'access-token': stdout.trim(), origin: CLUB };
      const response = await app.inject({ url: '/api/channels/9/posts', headers });
      assert.equal(response.statusCode, 200, response.body);
      assert.equal(response.json().items.length, 3);
    });
});
