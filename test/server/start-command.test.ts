// Commands of `start.mjs`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('the command-line entry point', () => {
  // `toString` is a property that every object inherits.
  for (const command of ['unknown', 'toString'])
    it(`rejects the unknown command "${command}" and lists the commands`, () =>
      assert.rejects(run(process.execPath, ['start.mjs', command]), {
        code: 1,
        stderr: new RegExp(`^Unknown command "${command}"\\. The commands are serve, `),
      }));
});
