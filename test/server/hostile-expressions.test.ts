// Regular expression denial of service (ReDoS): no expression of the code is slow for hostile texts.
// Runs alone: it measures the time of regular expressions.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Expression, expressionsIn } from '../hostile/expressions.ts';
import type { Slow } from '../hostile/slow-texts.ts';

const FOLDERS = ['contract', 'server', 'src'];
/** Timeout of one expression, ms. No expression of this repository comes near it. */
const EXPRESSION_TIMEOUT_MS = 50_000;

/**
 * Expressions that are slow for a text that they never receive. The value names the source of their input, or its maximum
 * length.
 */
const UNREACHABLE: Readonly<Record<string, string>> = {
  '\\/+$': 'BOT_API_ROOT, a setting',
  '<title>.*?<\\/title>': 'the shell that the build wrote, which has one title',
  '<noscript>.*<\\/noscript>': 'the shell that the build wrote: what strangers say in it is escaped',
  '=+$': 'what btoa writes, with two of them at most',
  '[^/]+\\.js$': 'addresses of the page’s own scripts',
};

type ProgressMessage = { type: 'at'; expression: Expression } | { type: 'slow'; slow: Slow } | { type: 'done'; count: number };

/** Tries the expressions in a child process. An expression that does not end is reported, and the process is killed. */
async function measureAll(t: TestContext, expressions: readonly Expression[]): Promise<{ slow: Slow[]; count: number }> {
  const slow: Slow[] = [];
  let at = '';
  const child = fork(resolve(import.meta.dirname, '../hostile/slow-texts.ts'), { execArgv: ['--import', 'tsx'] });
  t.after(() => child.kill('SIGKILL'));
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new Error(`It does not end: ${at}`)), EXPRESSION_TIMEOUT_MS);
    child.on('exit', (code) => {
      clearTimeout(timer);
      failed(new Error(`It ended with ${code} at ${at}.`));
    });
    child.on('message', (progress: ProgressMessage) => {
      if (progress.type === 'at') at = `${progress.expression.location} /${progress.expression.source}/`;
      if (progress.type === 'slow') slow.push(progress.slow);
      if (progress.type === 'done') done({ slow, count: progress.count });
    });
    child.send(expressions);
  });
}

const describeSlow = ({ expression, begins, repeats, ends, times }: Slow): string =>
  `${expression.location} /${expression.source}/ on ${JSON.stringify([begins, repeats, ends])}: ${times.map((each) => each.toFixed(1)).join(', ')} ms`;

describe('every regular expression of this repository', () => {
  it('takes time at most proportional to the length of its text, whatever the text contains', async (t) => {
    const all = FOLDERS.flatMap(expressionsIn);
    const repeating = all.filter(({ source }) => /[*+]|\{\d+,/.test(source));
    assert.ok(all.length > 200 && repeating.length > 80, `${all.length}, ${repeating.length}`);
    const { slow, count } = await measureAll(t, repeating);
    t.diagnostic(`${all.length} expressions, ${repeating.length} of them repeat something; ${count} growing texts`);
    for (const each of slow) t.diagnostic(describeSlow(each));
    assert.deepEqual(slow.filter(({ expression }) => !Object.hasOwn(UNREACHABLE, expression.source)).map(describeSlow), []);
  });

  it('is reported if it takes longer', async (t) => {
    const bad = ['\\s+$', '<b>.*?</b>', '@.*$'].map((source) => ({ location: 'here', source, flags: 'g' }));
    const { slow } = await measureAll(t, bad);
    assert.equal(slow.length, 3);
  });
});
