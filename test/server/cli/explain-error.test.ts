import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { describeError } from '../../../server/cli/explain-error.ts';
import { openStore } from '../../../server/storage/open.ts';
import { makeFolder } from '../support/make-app.ts';

const refusedByTheSystem = (code: string, more: object) => Object.assign(new Error(`${code}: no`), { code, ...more });

describe('describeError', () => {
  it('distinguishes a file without permission from a port without permission', () => {
    assert.match(
      describeError(refusedByTheSystem('EACCES', { path: '/data/assets' })),
      /^\/data\/assets cannot be .+ \(EACCES\)\.$/,
    );
    assert.match(describeError(refusedByTheSystem('EACCES', { syscall: 'listen' })), /^PORT /);
  });

  it('explains that a database cannot be opened', async (t) => {
    const dataDir = makeFolder(t);
    mkdirSync(join(dataDir, 'changer.sqlite'));
    const error: unknown = await openStore({ dataDir }).catch((thrown) => thrown);
    assert.match(describeError(error), /^DATA_DIR.+ the directory or the file cannot be written\.$/);
  });

  it('shows an unexpected error in full', async (t) => {
    assert.match(describeError(new TypeError('what')), /^TypeError: what\n\s+at /);
    assert.match(describeError(await readFile(makeFolder(t)).catch((thrown) => thrown)), /EISDIR/);
  });
});
