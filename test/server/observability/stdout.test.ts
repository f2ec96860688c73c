import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openLogOutput } from '../../../server/observability/stdout.ts';
import { until } from '../../support/browser.ts';
import { makeFolder } from '../support/make-app.ts';

/** Opens an output to a pipe without a reader. `readAll` returns everything that the output has written so far. */
function openPipe(t: TestContext) {
  const pipe = path.join(makeFolder(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  t.after(() => closeSync(fd));
  const output = openLogOutput(fd);
  let read = '';
  const readAvailable = () => {
    const bytes = Buffer.alloc(1 << 20);
    for (;;)
      try {
        read += bytes.toString('latin1', 0, readSync(fd, bytes));
      } catch (error) {
        assert.match(String(error), /EAGAIN/);
        return;
      }
  };
  const readAll = async (): Promise<string> => {
    await until(async () => {
      readAvailable();
      return output.flush();
    }, 'the buffered lines are read');
    readAvailable();
    return read;
  };
  return { output, readAll };
}

describe('the output to stdout', () => {
  it('buffers a limited number of lines for a slow reader, and reports where lines are missing and how many', async (t) => {
    const { output, readAll } = openPipe(t);
    const line = (number: number) => `${JSON.stringify({ number, filler: 'x'.repeat(1000) })}\n`;
    for (let number = 0; number < 3000; number += 1) output.write(line(number));
    await readAll();
    output.write(line(3000));
    const read = await readAll();
    const entries: { number?: number; dropped?: number }[] = read
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    const at = entries.findIndex(({ dropped }) => dropped !== undefined);
    assert.ok(at > 900 && at < 1200, `${at} lines were kept`);
    assert.deepEqual(
      entries.slice(0, at).map(({ number }) => number),
      Array.from({ length: at }, (_, number) => number),
    );
    assert.deepEqual(
      entries.slice(at).map(({ dropped, number }) => dropped ?? number),
      [3000 - at, 3000],
    );
  });

  it('limits the buffered bytes and not the characters, which may have several bytes each', async (t) => {
    const { output, readAll } = openPipe(t);
    // The last line is long, so that the buffer has space for it only if its bytes are not counted.
    output.write(`${'x'.repeat(700 * 1024)}\n`);
    output.write(`${'ж'.repeat(300 * 1024)}\n`);
    assert.equal((await readAll()).length, 700 * 1024 + 1);
  });
});
