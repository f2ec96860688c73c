import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { findConfigWarnings } from '../../server/config-warnings.ts';
import { makeFolder } from './support/make-app.ts';

const warningsOf = (variables: Record<string, string>) => findConfigWarnings(readConfig(variables), Object.keys(variables));

describe('configuration warnings', () => {
  it('are absent if all settings are correct, whatever other variables the environment has', async () => {
    const others = {
      PATH: '/bin',
      HOME: '/root',
      HOSTNAME: 'a',
      USER: 'me',
      DATA: 'x',
      DEBUG: '1',
      TOKEN: 'x',
      NODE_ENV: 'production',
    };
    assert.deepEqual(await warningsOf({ ...others, PORT: '80', BOT_TOKEN: '1:abc', OPERATOR_IDS: '7' }), []);
  });

  it('suggest the setting that a misspelled name resembles', async () => {
    for (const [name, near] of [
      ['BOT_TOKENS', 'BOT_TOKEN'],
      ['OPERATOR_ID', 'OPERATOR_IDS'],
      ['PUBLICURL', 'PUBLIC_URL'],
      ['Data_Dir', 'DATA_DIR'],
      ['TRUST_PROXIES', 'TRUST_PROXY'],
      ['port', 'PORT'],
    ] as const) {
      // A value that looks like a secret is never shown.
      const warnings = await warningsOf({ [name]: 'hunter2' });
      assert.deepEqual(
        warnings,
        name === 'TRUST_PROXIES' ? [] : [`${name} is not a setting and is ignored: did you mean ${near}?`],
      );
    }
  });

  it('report OPERATOR_IDS without BOT_TOKEN, because then nobody can sign in', async () => {
    assert.match((await warningsOf({ OPERATOR_IDS: '7' })).join(), /^OPERATOR_IDS is set without BOT_TOKEN: /);
  });

  it('report BOT_API_FILES without BOT_API_ROOT, or with a path that is not a readable directory', async (t) => {
    const folder = makeFolder(t);
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const root = { BOT_API_ROOT: 'http://localhost:8081' };
    assert.deepEqual(await warningsOf({ ...root, BOT_API_FILES: folder }), []);
    assert.match((await warningsOf({ BOT_API_FILES: folder })).join(), /^BOT_API_FILES is set without BOT_API_ROOT: /);
    for (const nowhere of [file, path.join(folder, 'none')])
      assert.match((await warningsOf({ ...root, BOT_API_FILES: nowhere })).join(), /, which is not a readable directory\.$/);
  });
});
