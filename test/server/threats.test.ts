import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Returns the rows of the table of threats, as the file and the title that each names. */
function rows(): (readonly [row: string, file: string | undefined, title: string | undefined])[] {
  const [, section = ''] = /\n## Threats\n([\s\S]*?)\n## /.exec(readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8')) ?? [];
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => {
    const [, file, title] = /\| `(test\/[\w./-]+)` › (.+) \|$/.exec(line) ?? [];
    return [line, file, title];
  });
}

describe('the threats of docs/security.md', () => {
  it('cite only tests that exist and run', () => {
    const named = rows();
    assert.ok(named.length > 40, `${named.length} rows`);
    for (const [row, file, title] of named) {
      assert.ok(file !== undefined && title !== undefined, row);
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      assert.ok(
        ["'", '"', '`'].some((quote) => text.includes(`it(${quote}${title}${quote}`)),
        row,
      );
    }
  });
});
