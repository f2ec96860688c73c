import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { PROPERTIES } from '../fuzz/properties.ts';

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const runs = Number(process.env.FUZZ_RUNS ?? 200);

describe(`what strangers send (FUZZ_SEED=${seed})`, () => {
  for (const { name, tried } of PROPERTIES)
    it(name, async () => {
      const { fault } = await tried({ runs, seed });
      assert.equal(fault, null, `${fault}\nFUZZ_SEED=${seed} FUZZ_RUNS=${runs} repeats it.`);
    });
});
