import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { checkFiles } from '../../scripts/vocabulary.mjs';

/** Returns the faults of these files, by their paths. */
async function check(files: Readonly<Record<string, string>>): Promise<string[]> {
  const root = mkdtempSync(path.join(tmpdir(), 'vocabulary-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    return await checkFiles(root, Object.keys(files));
  } finally {
    rmSync(root, { recursive: true });
  }
}

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

describe('the vocabulary check', () => {
  it('accepts standard terms in names, comments and documents', async () => {
    const faults = await check({
      'server/example.ts': '/** Returns the posts of a page. */\nexport const MAX_POSTS = 30; // Posts of one page.\n',
      'src/example.tsx':
        '// The rest of the posts is loaded later.\nexport interface PostChunk {}\nexport function loadChunk() {}\n',
      'docs/example.md': `# Example\n\n${words(100)}\n\n${words(100)}\n`,
    });
    assert.deepEqual(faults, []);
  });

  it('reports a private word in a comment, with its line and the term to use', async () => {
    const faults = await check({
      'server/example.ts':
        'const url = "https://example.org";\n\n/** Subscribes whoever asks. */\nconst one = 1; // Read anew.\n',
    });
    assert.deepEqual(faults, [
      'server/example.ts:3: in a comment, "whoever": write the client, the caller or the reader',
      'server/example.ts:4: in a comment, "anew": write again',
    ]);
  });

  it('reports a comment that begins with neither a subject nor a standard verb', async () => {
    const faults = await check({
      'build/example.mjs': 'const one = 1;\n  // Gives the posts.\n\n/**\n * What erases posts.\n */\nconst two = 2;\n',
    });
    assert.deepEqual(faults, [
      'build/example.mjs:2: a comment begins with "Gives": begin with the subject, or with a verb (Returns, Parses, Stores)',
      'build/example.mjs:4: a comment begins with "What": begin with the subject, or with a verb (Returns, Parses, Stores)',
    ]);
  });

  it('reports a constant that names no quantity, with the form to use', async () => {
    const faults = await check({ 'src/example.ts': '\nconst MOST_POSTS = 30;\nexport const PATIENCE = 2000;\n' });
    const form = 'write MAX_… with its noun, or the time with its unit (…_TIMEOUT_MS)';
    assert.deepEqual(faults, [
      `src/example.ts:2: the constant MOST_POSTS: ${form}`,
      `src/example.ts:3: the constant PATIENCE: ${form}`,
    ]);
  });

  it('reports a private word that is an exported name, with the terms to use', async () => {
    const faults = await check({ 'contract/example.ts': 'interface Told {}\n\nexport interface Place {}\n' });
    assert.deepEqual(faults, ['contract/example.ts:3: the exported name Place: write path, cursor, scrollAnchor or slot']);
  });

  it('reports an exported name that two files declare, except in the list of shared names', async () => {
    const faults = await check({
      'contract/example.ts': 'export const Gap = 1;\nexport type Gap = number;\nexport interface Post {}\n',
      'src/example.ts': '\nexport type Gap = string;\nexport function Post() {}\n',
      'bench/example.ts': 'export const Gap = 2;\n',
    });
    assert.deepEqual(faults, [
      'src/example.ts:2: the exported name Gap is also declared in contract/example.ts: rename one of them',
    ]);
  });

  it('reports a long paragraph and a private word in a document', async () => {
    const faults = await check({
      'docs/example.md': `# Example\n\nShort.\n\n${words(60)}\n${words(41)}\n\n- ${words(99)}\n- ${words(99)}\n\nIt is read anew.\n`,
    });
    assert.deepEqual(faults, [
      'docs/example.md:5: a paragraph of 101 words: split it, at most 100',
      'docs/example.md:11: "anew": write again',
    ]);
  });

  it('ignores tables, code and generated files', async () => {
    const faults = await check({
      'docs/example.md': `| ${words(120)} |\n\n\`\`\`\n${words(120)} anew\n\`\`\`\n`,
      'src/i18n/locales/de.ts': '// Gives anew.\n',
      'test/example.ts': '// Gives anew.\n',
    });
    assert.deepEqual(faults, []);
  });
});
