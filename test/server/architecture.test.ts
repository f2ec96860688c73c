import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const MAX_WORDS = 1500;
const MAX_PARAGRAPH_WORDS = 100;
const MIN_RESPONSIBILITIES = 40;

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');

  it('names a file for each responsibility, and that file contains the term', () => {
    const [, section = ''] = /## Where is …\?\n([\s\S]*?)\n## /.exec(text) ?? [];
    const rows = [...section.matchAll(/^\| (.+?) \| `([\w./-]+)` \| (.+?) \|$/gm)];
    assert.ok(rows.length >= MIN_RESPONSIBILITIES, `${rows.length} rows`);
    for (const [, term, file = '', word = ''] of rows) {
      assert.ok(existsSync(path.join(ROOT, file)), `${term}: ${file} does not exist`);
      assert.ok(read(file).toLowerCase().includes(word.toLowerCase()), `${term}: ${file} does not contain "${word}"`);
    }
  });

  it('fits on one page, in short paragraphs', () => {
    const count = (part: string): number => part.split(/\s+/).filter(Boolean).length;
    assert.ok(count(text) <= MAX_WORDS, `${count(text)} words`);
    const prose = text.replace(/```[\s\S]*?```/g, '').replace(/^\|.*$/gm, '');
    for (const paragraph of prose.split(/\n(?:\n|(?=\d+\. |- ))/))
      assert.ok(count(paragraph) <= MAX_PARAGRAPH_WORDS, `${count(paragraph)} words: ${paragraph.slice(0, 60)}`);
  });
});
