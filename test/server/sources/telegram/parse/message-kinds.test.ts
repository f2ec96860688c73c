import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type FieldRole, type FieldsOf, fieldRoleOf } from '../../../../../server/sources/telegram/parse/message-fields.ts';

const ROOT = join(import.meta.dirname, '../../../../..');

/** Type-checks the table of message fields together with additional type declarations. */
const check = (t: TestContext, types: string) => {
  // The folder is inside the project, since modules are resolved in the parent folders.
  const folder = join(ROOT, `.test/kinds-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'newer.ts'), types);
  const files = [
    'newer.ts',
    '../../server/sources/telegram/parse/message-fields.ts',
    '../../server/sources/telegram/parse/content.ts',
  ];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../server/tsconfig.json', include: files }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  return { status, stdout };
};

const withField = (field: string) =>
  `import type {} from '@grammyjs/types/message';
   declare module '@grammyjs/types/message' { interface Message { ${field}?: object } }`;

describe('the kinds of message', () => {
  it('are all in the table of message fields', (t) => assert.deepEqual(check(t, 'export {};'), { status: 0, stdout: '' }));

  it('do not type-check if a new kind is missing in the table', (t) => {
    const { status, stdout } = check(t, withField('hologram'));
    assert.notEqual(status, 0);
    assert.match(stdout, /message-fields\.ts.*\n?.*hologram/);
  });

  it('have a role by name, but a name inherited from JavaScript objects has none', () => {
    const known: FieldsOf<FieldRole> = 'sticker';
    assert.equal(fieldRoleOf(known), 'content');
    for (const name of ['hologram', 'constructor', '__proto__', 'toString', '']) assert.equal(fieldRoleOf(name), null);
  });
});
