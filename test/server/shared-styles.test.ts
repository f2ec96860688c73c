import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const sheets = ['src', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')] as const),
);
const sheetsWith = (pattern: RegExp): string[] => sheets.filter(([, text]) => pattern.test(text)).map(([name]) => name);

describe('the style sheets of the app and of the examples page', () => {
  it('define the background of buttons only once', () => {
    assert.deepEqual(sheetsWith(/\.button \{[^}]*background: var\(--accent\)/), ['src/components/styles/button.css']);
  });
  it('define the focus ring only once', () => {
    assert.deepEqual(sheetsWith(/(outline|--ring): 2px solid var\(--accent\)/), ['src/components/styles/tokens.css']);
    assert.deepEqual(sheetsWith(/^:focus-visible \{/m), ['src/components/styles/elements.css']);
  });
  it('import the same files', () => {
    const [, page = ''] = sheets.find(([name]) => name === join('examples', 'page.css')) ?? [];
    for (const name of ['tokens', 'elements', 'button'])
      assert.ok(page.includes(`@import "../src/components/styles/${name}.css"`), name);
  });
});
