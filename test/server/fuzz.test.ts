import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { PROPERTIES } from '../fuzz/properties.ts';

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const runs = Number(process.env.FUZZ_RUNS ?? 200);

/**
 * If a case ends the process, the test names and the report are lost. The test runner then reports the last output on stderr
 * (test/runner/test-reporter.mjs), so each case is logged first.
 */
const logCase = (caseName: string) => console.error(`${caseName} (FUZZ_SEED=${seed} FUZZ_RUNS=${runs})`);
logCase('properties');

describe(`properties that hold for any untrusted input (FUZZ_SEED=${seed})`, () => {
  for (const { name, tried } of PROPERTIES)
    it(name, async () => {
      if (process.env.FUZZ_RUNS !== undefined) logCase(name);
      const { fault } = await tried({ runs, seed });
      assert.equal(fault, null, `${fault}\nFUZZ_SEED=${seed} FUZZ_RUNS=${runs} repeats it.`);
    });
});

describe('npm run fuzz', () => {
  it('prints its seed first, and each property before testing it, because a test may end the process', async () => {
    const run = join(import.meta.dirname, '../fuzz/run.ts');
    const env = { ...process.env, FUZZ_SEED: '7' };
    // A time share too short for one try counts as broken. This test ignores that.
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', run, '0.02'], { env }).catch(
      (ended: { stdout: string }) => ended,
    );
    const [first, ...lines] = stdout.split('\n').filter((line) => /FUZZ_SEED|^(tries|holds|BROKEN) /.test(line));
    assert.match(first ?? '', /FUZZ_SEED=7 /);
    for (const [at, { name }] of PROPERTIES.entries()) {
      assert.equal(lines[2 * at], `tries   ${name}`);
      assert.ok(lines[2 * at + 1]?.endsWith(` runs  ${name}`));
    }
  });
});
