// Replaced modules of libraries: the build was made for the versions that are installed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { REPLACED_MODULES } from '../../build/replaced-modules.mjs';

describe('a module of a library that the build replaces', () => {
  for (const { library, version, module, sha256, savedBytes } of REPLACED_MODULES)
    it(`is the one that the replacement was made for: ${library}/${module}`, async () => {
      const contents = await readFile(`node_modules/${library}/${module}`);
      const { version: installed } = JSON.parse(await readFile(`node_modules/${library}/package.json`, 'utf8'));
      const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16);
      assert.equal(
        hash,
        sha256,
        `It changed between ${version} and ${installed}. Read it, correct the replacement in build/replaced-modules.mjs, and enter its hash.`,
      );
      assert.ok(savedBytes > 0);
    });
});

describe('the timeout that the browser tests replace in @open-wc/testing-helpers', () => {
  it('is in the module once', async () => {
    const source = await readFile('node_modules/@open-wc/testing-helpers/src/helpers.js', 'utf8');
    assert.equal(source.split('timeout = 1000 }').length, 2);
  });
});
